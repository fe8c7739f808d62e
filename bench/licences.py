"""Checks that every dependency may be used under a licence that suits MIT OR Apache-2.0."""

import json
import re
import subprocess
import sys

ALLOWED = {"MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "ISC",
           "Unicode-3.0", "Unlicense", "Zlib", "BSL-1.0", "CC0-1.0", "0BSD",
           "CDLA-Permissive-2.0"}  # for data: the certificate authorities that HTTPS trusts


def acceptable(licence: str) -> bool:
    """Every part joined by AND must offer, among its parts joined by OR, one that is allowed."""
    parts = [part.strip(" ()") for part in re.split(r"\bAND\b", licence)]
    return all(any(choice.strip(" ()") in ALLOWED for choice in re.split(r"\bOR\b|/", part)) for part in parts)


metadata = json.loads(subprocess.check_output(["cargo", "metadata", "--format-version", "1"]))
wrong = [f"{p['name']} {p['version']}: {p['license']}" for p in metadata["packages"]
         if not acceptable(p["license"] or "none")]
print("\n".join(wrong) or f"licences of {len(metadata['packages'])} packages are fine")
sys.exit(bool(wrong))
