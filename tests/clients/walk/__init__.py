"""Walks the API with the unmodified runapy client and judges every answer."""
