"""One example: what the model reads after the tools, and what it should answer. Rendered as the server renders it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domains.loading import TASKS

ARGUMENT_ORDER = {
    "add_task": ("title", "description", "priority", "due_date"),
    "list_tasks": ("filter", "priority", "due", "search", "limit", "offset"),
    "complete_task": ("task_identifier",),
    "delete_task": ("task_identifier",),
    "update_task": ("task_identifier", "new_title", "new_description", "new_priority", "new_due_date", "new_status"),
    "get_user_info": (),
}
"""The order of the signatures: llama.cpp's grammar allows no other."""

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Example:
    kind: str
    language: str
    messages: tuple[Mapping[str, Any], ...]
    """From the first that the model reads to the last before its answer; the system message is everybody's."""
    calls: tuple[Call, ...] = ()
    text: str = ""
    domain: str = TASKS
    """Which tools it reads before."""

    @property
    def said(self) -> str:
        return str(self.messages[-1]["content"])

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "language": self.language,
            "messages": list(self.messages),
            "calls": [{"name": name, "arguments": arguments} for name, arguments in self.calls],
            "text": self.text,
            "domain": self.domain,
        }


def user(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: str) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def in_order(name: str, arguments: Mapping[str, Any]) -> Call:
    return name, {key: arguments[key] for key in ARGUMENT_ORDER[name] if key in arguments}


def render_call(name: str, arguments: Mapping[str, Any]) -> str:
    written = json.dumps(arguments, ensure_ascii=False)
    return f'<tool_call>\n{{"name": "{name}", "arguments": {written}}}\n</tool_call>'


def render_messages(messages: tuple[Mapping[str, Any], ...]) -> str:
    """What `llm/chat_template.jinja` makes of them; `tests/training` holds the two together."""
    return "".join(_render(message) for message in messages) + "<|im_start|>assistant\n"


def render_answer(example: Example) -> str:
    blocks = [example.text] if example.text else []
    blocks += [render_call(name, arguments) for name, arguments in example.calls]
    return "\n".join(blocks) + "<|im_end|>"


def _render(message: Mapping[str, Any]) -> str:
    if message["role"] == "tool":
        return f"<|im_start|>user\n<tool_response>\n{message['content']}\n</tool_response><|im_end|>\n"
    if message["role"] == "user":
        return f"<|im_start|>user\n{message['content']}<|im_end|>\n"
    parts = [message["content"]] if message.get("content") else []
    for call in message.get("tool_calls", ()):
        function = call["function"]
        parts.append(render_call(function["name"], json.loads(function["arguments"])))
    return "".join(["<|im_start|>assistant", *(f"\n{part}" for part in parts), "<|im_end|>\n"])
