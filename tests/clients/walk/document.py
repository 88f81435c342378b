"""An OpenAPI 3.0 document as a judge of answers."""

import re
import uuid
from datetime import datetime

import jsonschema

VERBS = ("get", "put", "post", "patch", "delete")
FORMATS = jsonschema.FormatChecker(formats=())

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


@FORMATS.checks("date-time", raises=ValueError)
def _is_time(value):
    if not isinstance(value, str):
        return True
    if not RFC3339.fullmatch(value):
        return False
    return datetime.fromisoformat(re.sub(r"\.\d+", "", value).replace("Z", "+00:00")) is not None


@FORMATS.checks("uuid", raises=ValueError)
def _is_uuid(value):
    return not isinstance(value, str) or str(uuid.UUID(value)) == value.lower()


def to_json_schema(node):
    """OpenAPI 3.0 is Draft 4 but for `nullable`, which may stand beside anything, even a $ref."""
    if isinstance(node, list):
        return [to_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {}
    for key, value in node.items():
        if key == "properties":
            schema[key] = {name: to_json_schema(item) for name, item in value.items()}
        elif key not in ("nullable", "example", "default", "enum"):
            schema[key] = to_json_schema(value)
        elif key == "enum":
            schema[key] = value
    if node.get("nullable") is True:
        return {"anyOf": [{"type": "null"}, schema]}
    return schema


class Document:
    def __init__(self, title, document):
        self.title = title
        self._document = document
        schemas = document.get("components", {}).get("schemas", {})
        self._root = {
            "components": {
                "schemas": {name: to_json_schema(schema) for name, schema in schemas.items()}
            }
        }
        self._paths = [
            (re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)), path)
            for path in sorted(document["paths"], key=lambda path: path.count("{"))
        ]
        self._validators = {}

    def operation(self, method, path):
        """The path's template and its operation, or None. A literal segment goes before {x}."""
        for pattern, template in self._paths:
            operation = self._document["paths"][template].get(method.lower())
            if operation is not None and pattern.fullmatch(path):
                return template, operation
        return None

    def problems(self, exchange):
        """What the document says is wrong with an answer."""
        found = self.operation(exchange.method, exchange.path)
        if found is None:
            return [f"{self.title} knows no {exchange.method} {exchange.path}"]
        template, operation = found
        responses = operation["responses"]
        response = self._resolve(responses.get(str(exchange.status), responses.get("default")))
        if response is None:
            if exchange.status < 400:
                return [f"{self.title}: {exchange.status} is not an answer of {template}"]
            return []
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return []
        return self._violations(f"{exchange.method} {template} {exchange.status}", schema,
                                exchange.json)

    def _resolve(self, node):
        while node is not None and "$ref" in node:
            target = self._document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def _violations(self, key, schema, value):
        if key not in self._validators:
            self._validators[key] = jsonschema.Draft4Validator(
                self._root | {"allOf": [to_json_schema(schema)]}, format_checker=FORMATS
            )
        errors = sorted(self._validators[key].iter_errors(value), key=lambda e: list(e.path))
        return [f"{self.title}: {describe(error)}" for error in errors[:3]]


def describe(error):
    """The innermost cause: with `nullable` the outer one only says that neither branch fits."""
    if error.context:
        inner = [e for e in error.context if e.schema != {"type": "null"}]
        if inner:
            return describe(jsonschema.exceptions.best_match(inner))
    place = "/".join(str(part) for part in error.absolute_path) or "the answer"
    return f"{place}: {error.message[:200]}"
