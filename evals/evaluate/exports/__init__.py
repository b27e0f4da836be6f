"""A run as a file: JSON (also a gate's baseline), CSV, one HTML page, Markdown, JUnit XML. None holds a key."""

from evals.evaluate.exports.as_csv import write_csv
from evals.evaluate.exports.as_html import write_html
from evals.evaluate.exports.as_json import write_json
from evals.evaluate.exports.as_markdown import write_markdown
from evals.evaluate.exports.report import RunReport, gather

__all__ = ["RunReport", "gather", "write_csv", "write_html", "write_json", "write_markdown"]
