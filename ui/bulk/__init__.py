"""Bulk runs on the pages: Evaluate and History open them, Policy starts them."""
