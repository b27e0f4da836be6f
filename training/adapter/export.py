"""Writes the trained adapter as the GGUF file that llama.cpp loads.

python -m training.adapter.export adapter.npz --out llm/adapter/twolane-tools.gguf
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import gguf
import numpy as np

_OPTIONS = Path(__file__).parent / "options.toml"


def export(adapter: Path, out: Path, alpha: float) -> None:
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_type("adapter")
    writer.add_name("twolane-tools")
    writer.add_license("apache-2.0")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    with np.load(adapter) as saved:
        for name in sorted(saved.files):
            writer.add_tensor(name, np.ascontiguousarray(saved[name].astype(np.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("--options", type=Path, default=_OPTIONS)
    parser.add_argument("--out", type=Path, default=Path("llm/adapter/twolane-tools.gguf"))
    given = parser.parse_args()
    options = tomllib.loads(given.options.read_text(encoding="utf-8"))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    export(given.adapter, given.out, options["lora"]["alpha"])
    sys.stdout.write(f"{given.out}: {given.out.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
