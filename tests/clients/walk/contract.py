"""The 2.20 contract, without its mistakes."""

import json

from .document import Document


def load(path):
    with open(path, encoding="utf-8") as file:
        contract = json.load(file)
    schemas = contract["components"]["schemas"]
    # Everywhere else the ids of departments and projects are decimal numbers.
    for name in ("DepartmentProjectParent", "DepartmentProjectChild"):
        del schemas[name]["properties"]["id"]["format"]
    # A new NFS source answers as what it is, not as an S3 source.
    answers = contract["paths"]["/api/v1/asset/datasource/nfs"]["post"]["responses"]
    answers["202"]["content"]["application/json"]["schema"]["$ref"] = (
        "#/components/schemas/NFSAsset")
    return Document("2.20", contract)
