# SPDX-License-Identifier: Apache-2.0
"""URLs joined with their base, by docs/spec/wire-format.md, "As JSON". Python's urljoin knows only some schemes."""

import re

PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*|):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def without_dots(path):
    kept = []
    while path:
        if path.startswith(("../", "./")) or path in (".", ".."):
            path = path.partition("/")[2]
        elif path.startswith("/./") or path == "/.":
            path = path[2:] or "/"
        elif path.startswith("/../") or path == "/..":
            path = path[3:] or "/"
            del kept[-1:]
        else:
            end = path.find("/", 1) if "/" in path[1:] else len(path)
            kept.append(path[:end])
            path = path[end:]
    return "".join(kept)


def joined(relative, base):
    scheme, authority, path, query, fragment = PARTS.fullmatch(relative).groups()
    base_scheme, base_authority, base_path, base_query, _ = PARTS.fullmatch(base).groups()
    if scheme is not None:
        path = without_dots(path)
    elif authority is not None:
        scheme = base_scheme
    else:
        scheme, authority = base_scheme, base_authority
        if not path:
            path, query = base_path, base_query if query is None else query
        elif path.startswith("/"):
            path = without_dots(path)
        elif authority is not None and not base_path:
            path = without_dots("/" + path)
        else:
            path = without_dots(base_path[:base_path.rfind("/") + 1] + path)
    return "".join([scheme + ":" if scheme is not None else "", "//" + authority if authority is not None else "", path,
                    "?" + query if query is not None else "", "#" + fragment if fragment is not None else ""])
