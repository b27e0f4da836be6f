"""What the slots of the embedded model's server know before they are asked."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from llm.embedded import MODEL_NAME, Address
from llm.embedded_child import SLOTS
from llm.endpoint import Endpoint
from llm.prompt import make_request

PROMPT_TOKENS = 250
"""The beginning of the prompt, which is the same for everybody, has more."""
CONTEXT = Context(tasks=MemoryIndex([]), now=datetime(2026, 3, 4, 10))  # noqa: DTZ001


def known_tokens(address: Address) -> list[int]:
    """How many tokens of a first message each slot need not read."""
    import openai  # late: each process of a run collects this file, and one needs it

    endpoint = Endpoint("embedded", address.base_url, MODEL_NAME, address.key)
    request = make_request("good evening", CONTEXT, endpoint, "tools")
    with openai.OpenAI(base_url=address.base_url, api_key=address.key, max_retries=0, timeout=240) as client:
        body = {name: request[name] for name in ("messages", "tools")}
        prompt: Any = client.post(str(client.base_url.join("/apply-template")), cast_to=object, body=body)
        asked = {"prompt": prompt["prompt"], "n_predict": 1}
        url = str(client.base_url.join("/completion"))
        answers: Any = [client.post(url, cast_to=object, body={**asked, "id_slot": slot}) for slot in range(SLOTS)]
    return [answer["timings"]["cache_n"] for answer in answers]
