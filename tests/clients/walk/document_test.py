"""The judge must find what is wrong, or the walk would prove nothing."""

from .document import Document
from .report import Report
from .session import Exchange

TINY = {
    "paths": {
        "/things/{id}": {"get": {"responses": {
            "200": {"content": {"application/json": {"schema": {
                "$ref": "#/components/schemas/Thing"}}}}}}},
        "/things/count": {"get": {"responses": {"200": {"$ref": "#/components/responses/Count"}}}},
    },
    "components": {
        "responses": {"Count": {"content": {"application/json": {"schema": {
            "type": "object", "required": ["count"], "properties": {
                "count": {"type": "integer"}}}}}}},
        "schemas": {
            "Named": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "minLength": 1}}},
            "Thing": {"allOf": [{"$ref": "#/components/schemas/Named"}, {
                "type": "object", "required": ["madeAt"], "properties": {
                    "madeAt": {"type": "string", "format": "date-time", "nullable": True},
                    "mode": {"type": "string", "enum": ["a", "b"]},
                    "nullable": {"type": "boolean"},
                    "owner": {"nullable": True, "allOf": [
                        {"$ref": "#/components/schemas/Named"}]}}}]},
        },
    },
}

GOOD = b'{"name": "x", "madeAt": null, "mode": "a", "owner": null, "nullable": true}'

# What is answered, at which path, and a word of the finding; nothing: it is right.
CASES = {
    "accepts": ("/things/7", 200, GOOD, ""),
    "accepts-a-time": ("/things/7", 200, b'{"name": "x", "madeAt": "2026-01-02T03:04:05.67Z"}', ""),
    "missing-field": ("/things/7", 200, b'{"name": "x"}', "madeAt"),
    "inherited-field": ("/things/7", 200, b'{"madeAt": null}', "name"),
    "bad-time": ("/things/7", 200, b'{"name": "x", "madeAt": "yesterday"}', "date-time"),
    "bad-choice": ("/things/7", 200, b'{"name": "x", "madeAt": null, "mode": "c"}', "mode"),
    "forbidden-null": ("/things/7", 200, b'{"name": null, "madeAt": null}', "name"),
    "inside-a-nullable": ("/things/7", 200, b'{"name": "x", "madeAt": null, "owner": {}}', "name"),
    "empty-body": ("/things/7", 200, b"", "None"),
    "unknown-status": ("/things/7", 202, GOOD, "202"),
    "unknown-path": ("/nothing", 200, GOOD, "/nothing"),
    "literal-before-parameter": ("/things/count", 200, b'{"count": "1"}', "integer"),
}


def main():
    document, report = Document("tiny", TINY), Report("judge")
    for name, (path, status, body, word) in CASES.items():
        found = "; ".join(document.problems(Exchange("GET", path, status, body)))
        right = word in found if word else found == ""
        report.judge(name, [] if right else [f"expected {word!r}, found {found!r}"])


if __name__ == "__main__":
    main()
