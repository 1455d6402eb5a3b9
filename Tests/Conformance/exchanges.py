#!/usr/bin/env python3
"""Run request/response cases against a live SCIM server over HTTP.

    exchanges.py [--base URL] [--token KEY] [--strict KEY] [--entra KEY] [--only TEXT] [--list] FILE_OR_FOLDER...

BASE_URL and TOKEN in the environment serve as defaults. BASE_URL is the SCIM root,
for example http://127.0.0.1:8080/scim/v2. --strict and --entra are keys of those profiles,
for the steps that ask for one. Needs only Python's standard library.
Exit 0 where every case holds, 1 where one fails, 2 where nothing could be run.

A case file is a JSON array of cases:

    {"name": "...", "why": "what the client needs, with its RFC section",
     "steps": [{"do": "POST /Users", "profile": "strict", "headers": {}, "body": {...} | "raw": "text",
                "expect": {"status": 201 | [200, 204], "headers": {"etag": M}, "body": M},
                "save": {"id": "id", "mail": "emails.0.value"}}]}

"${name}" in a later path, header or body is replaced by what an earlier step saved.
"${unique}" is a fresh token for each case, so that cases never collide; "${base}" and "${token}" are what was given.
A matcher M: a plain value is equal to it; an object holds at least these keys, each matching
(keys are compared as written); an array holds exactly these items in order, each matching. And:
    {"$absent": true}     the key is not there           {"$any": true}     it is there, not null
    {"$contains": M}      some item (or substring)       {"$lacks": M}      no item (or substring)
    {"$len": N}           that many items                {"$re": "text"}    matches the expression
    {"$ci": "text"}       equal but for case             {"$not": M}        does not match M
    {"$type": "boolean"}  string, number, boolean, array, object
    {"$all": [M, ...]}    every one of them              {"$in": [v, ...]}  one of these values
"""
import argparse, http.client, json, os, pathlib, re, socket, sys, urllib.parse, uuid

MISSING = object()
OPERATORS = {"$absent", "$any", "$contains", "$lacks", "$len", "$re", "$ci", "$not", "$type", "$all", "$in"}
TYPES = {"string": str, "number": (int, float), "boolean": bool, "array": list, "object": dict}


def mismatch(want, got, at="body"):
    """Return why `got` does not match `want`, or None where it does."""
    if isinstance(want, dict) and OPERATORS.intersection(want):
        for op, arg in want.items():
            why = special(op, arg, got, at)
            if why:
                return why
        return None
    if got is MISSING:
        return f"{at}: missing"
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return f"{at}: expected an object, got {show(got)}"
        for key, sub in want.items():
            why = mismatch(sub, got.get(key, MISSING), f"{at}.{key}")
            if why:
                return why
        return None
    if isinstance(want, list):
        if not isinstance(got, list):
            return f"{at}: expected an array, got {show(got)}"
        if len(want) != len(got):
            return f"{at}: expected {len(want)} items, got {len(got)}: {show(got)}"
        for i, (w, g) in enumerate(zip(want, got)):
            why = mismatch(w, g, f"{at}[{i}]")
            if why:
                return why
        return None
    if type(want) is bool or type(got) is bool:
        same = type(want) is type(got) and want == got
    else:
        same = want == got
    return None if same else f"{at}: expected {show(want)}, got {show(got)}"


def special(op, arg, got, at):
    if op == "$absent":
        return None if (got is MISSING) == bool(arg) else f"{at}: {'should be absent' if arg else 'missing'}, got {show(got)}"
    if op == "$not":
        return f"{at}: should not match {show(arg)}" if mismatch(arg, got, at) is None else None
    if op == "$lacks" and got is MISSING:
        return None
    if got is MISSING:
        return f"{at}: missing"
    if op == "$any":
        return None if got is not None else f"{at}: is null"
    if op == "$all":
        return next((w for w in (mismatch(m, got, at) for m in arg) if w), None)
    if op == "$in":
        return None if got in arg else f"{at}: expected one of {show(arg)}, got {show(got)}"
    if op in ("$contains", "$lacks"):
        if isinstance(got, str):
            found = isinstance(arg, str) and arg in got
        elif isinstance(got, list):
            found = any(mismatch(arg, g, at) is None for g in got)
        else:
            return f"{at}: expected an array or a string, got {show(got)}"
        if found == (op == "$contains"):
            return None
        return f"{at}: {'lacks' if op == '$contains' else 'should lack'} {show(arg)}, got {show(got)}"
    if op == "$len":
        return None if isinstance(got, (list, str)) and len(got) == arg else f"{at}: expected {arg} items, got {show(got)}"
    if op == "$re":
        return None if isinstance(got, str) and re.search(arg, got) else f"{at}: {show(got)} does not match /{arg}/"
    if op == "$ci":
        return None if isinstance(got, str) and got.lower() == arg.lower() else f"{at}: expected {show(arg)} in any case, got {show(got)}"
    if op == "$type":
        ok = isinstance(got, TYPES[arg]) and not (arg == "number" and isinstance(got, bool))
        return None if ok else f"{at}: expected a {arg}, got {show(got)}"
    return f"{at}: {op} stands beside an operator"


def show(value):
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else text[:297] + "..."


def fill(value, names):
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        if whole and whole[1] in names:
            return names[whole[1]]
        return re.sub(r"\$\{(\w+)\}", lambda m: str(names.get(m[1], m[0])), value)
    if isinstance(value, list):
        return [fill(v, names) for v in value]
    if isinstance(value, dict):
        return {fill(k, names): fill(v, names) for k, v in value.items()}
    return value


def pick(document, path):
    for part in path.split("."):
        if isinstance(document, list) and re.fullmatch(r"-?\d+", part):
            document = document[int(part)]
        elif isinstance(document, dict) and part in document:
            document = document[part]
        else:
            return None
    return document


def send(base, token, method, path, headers, payload):
    url = urllib.parse.urlsplit(base)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    link = kind(url.hostname, url.port, timeout=30)
    if path.startswith("http://") or path.startswith("https://"):
        parts = urllib.parse.urlsplit(path)
        target = parts.path + ("?" + parts.query if parts.query else "")
    else:
        target = url.path.rstrip("/") + path
    target = urllib.parse.quote(target, safe="%/:?#[]@!$&'()*+,;=-._~\\")
    sent = {"Accept": "application/scim+json", "Authorization": f"Bearer {token}"}
    if payload is not None:
        sent["Content-Type"] = "application/scim+json"
    for name, value in headers.items():
        for known in [k for k in sent if k.lower() == name.lower()]:
            del sent[known]
        if value is not None:
            sent[name] = value
    try:
        link.request(method, target, body=payload, headers=sent)
        answer = link.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        link.close()


def run(case, base, keys):
    """Run one case with the keys of the profiles; return None where it holds, or a line saying where it fails."""
    token = keys["interop"]
    names = {"unique": uuid.uuid4().hex[:12], "base": base, "token": token}
    for number, step in enumerate(case["steps"], 1):
        method, _, path = fill(step["do"], names).partition(" ")
        payload = None
        if "body" in step:
            payload = json.dumps(fill(step["body"], names), ensure_ascii=False).encode()
        elif "raw" in step:
            payload = fill(step["raw"], names).encode("utf-8", "surrogatepass")
        where = f"step {number} ({method} {path})"
        key = keys.get(step.get("profile", "interop"))
        if key is None:
            return f"{where}: needs a key of the profile {step['profile']}: --{step['profile']} KEY"
        try:
            status, headers, text = send(base, key, method, path, fill(step.get("headers", {}), names), payload)
        except (OSError, http.client.HTTPException, socket.timeout) as error:
            return f"{where}: no answer: {error!r}"
        body = MISSING
        if text:
            try:
                body = json.loads(text)
            except ValueError:
                body = text.decode("utf-8", "replace")
        expect = step.get("expect", {})
        wanted = expect.get("status")
        if wanted is not None and status not in (wanted if isinstance(wanted, list) else [wanted]):
            return f"{where}: expected status {wanted}, got {status}: {show(body)}"
        for name, matcher in expect.get("headers", {}).items():
            why = mismatch(fill(matcher, names), headers.get(name.lower(), MISSING), f"header {name}")
            if why:
                return f"{where}: {why}"
        if "body" in expect:
            why = mismatch(fill(expect["body"], names), body)
            if why:
                return f"{where}: {why}"
        for name, spot in step.get("save", {}).items():
            value = headers.get(spot[7:].lower()) if spot.startswith("header:") else pick(body if body is not MISSING else None, spot)
            if value is None:
                return f"{where}: nothing at {spot} to save as {name}: {show(body)}"
            names[name] = value
    return None


def main():
    parser = argparse.ArgumentParser(description="Run SCIM request/response cases against a live server.")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--base", default=os.environ.get("BASE_URL"))
    parser.add_argument("--token", default=os.environ.get("TOKEN"))
    parser.add_argument("--strict", metavar="KEY", help="a key of the profile strict, of the same organisation")
    parser.add_argument("--entra", metavar="KEY", help="a key of the profile entra, of the same organisation")
    parser.add_argument("--only", default="", help="run the cases whose name contains this text")
    parser.add_argument("--list", action="store_true", help="print the names and run nothing")
    options = parser.parse_args()
    files = [f for p in options.paths for f in (sorted(p.glob("**/*.json")) if p.is_dir() else [p])]
    cases = [(f, c) for f in files for c in json.loads(f.read_text()) if options.only in c["name"]]
    if options.list:
        print("\n".join(f"{f.name}: {c['name']}" for f, c in cases))
        return 0
    if not cases or not options.base or not options.token:
        print("exchanges.py: needs cases, --base (or BASE_URL) and --token (or TOKEN)", file=sys.stderr)
        return 2
    keys = {"interop": options.token, "strict": options.strict, "entra": options.entra}
    failed = 0
    for file, case in cases:
        why = run(case, options.base.rstrip("/"), keys)
        if why:
            failed += 1
            print(f"FAIL {file.name}: {case['name']}\n     {why}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
