#!/usr/bin/env python3
"""Holds a fresh Roster against its exchanges and against public SCIM suites.

    conformance.py ROSTER

ROSTER is the program. It is started on a free port with a new database, and each suite gets an organisation of its own:
the exchanges of Tests/Fixtures/exchanges, scim2-tester (through scim2-cli) and scim-sanity. The last two are installed
from PyPI, once, into a cache folder; where that cannot be done they are left out, and a line says so. Where they differ
from what known.txt lists, or an exchange fails, the exit code is 1. Needs Python 3.9 with venv.
"""
import collections, hashlib, json, os, pathlib, re, subprocess, sys, tempfile, time

import exchanges

HERE = pathlib.Path(__file__).resolve().parent
STATUS = re.compile(r"^(SUCCESS|COMPLIANT|ACCEPTABLE|DEVIATION|ERROR|CRITICAL|SKIPPED) (\S+)$")
Difference = collections.namedtuple("Difference", "suite check says")


class Server:
    """A server of its own, with a database of its own, for as long as the `with` block lasts."""

    def __init__(self, program):
        self.program = program

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="roster-conformance-")
        self.database = os.path.join(self.folder.name, "roster.db")
        self.log = open(os.path.join(self.folder.name, "log"), "w+")
        self.process = subprocess.Popen(
            [self.program, "serve", "--db", self.database, "--port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
        try:
            for line in self.process.stdout:
                if line.startswith("SCIM base URL: "):
                    self.base = line.split(": ", 1)[1].strip()
                    return self
            self.log.seek(0)
            raise SystemExit("conformance: the server did not start: " + self.log.read())
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def keys(self, organization, *options, profiles=("interop", "entra", "strict")):
        """Admin keys of a new organisation, by profile."""
        self.command("org", "create", organization, *options)
        return {profile: json.loads(self.command(
            "key", "create", organization, "--role", "admin", "--profile", profile, "--label", profile,
            "--json"))["key"] for profile in profiles}

    def command(self, *words):
        done = subprocess.run([self.program, *words, "--db", self.database], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"conformance: roster {' '.join(words)}: {done.stderr}")
        return done.stdout


def suites():
    """The folder with the programs of the public suites; None where they cannot be installed."""
    wanted = (HERE / "requirements.txt").read_bytes()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "roster-conformance" / hashlib.sha256(wanted).hexdigest()[:16]
    ready = folder / "ready"
    if not ready.exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, capture_output=True)
            subprocess.run(
                [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1",
                 "--timeout", "20", "--requirement", HERE / "requirements.txt"],
                check=True, capture_output=True, timeout=600)
        except (subprocess.SubprocessError, OSError) as error:
            last = (getattr(error, "stderr", None) or str(error).encode()).decode(errors="replace").strip().splitlines()
            print(f"public suites: SKIPPED, they cannot be installed from PyPI: {last[-1] if last else error}")
            return None
        ready.touch()
    return folder / "bin"


def tester(programs, base, token):
    """Runs scim2-tester; gives how many checks went well, and the rest."""
    environment = dict(os.environ, SCIM_CLI_URL=base, SCIM_CLI_HEADERS=f"Authorization: Bearer {token}",
                       NO_PROXY="127.0.0.1,localhost", NO_COLOR="1", COLUMNS="400")
    done = subprocess.run([programs / "scim2", "test"], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=600)
    lines, found, good = done.stdout.splitlines(), [], 0
    for number, line in enumerate(lines):
        result = STATUS.match(line)
        if not result:
            continue
        if result[1] == "SUCCESS":
            good += 1
        else:
            says = lines[number + 1].strip() if number + 1 < len(lines) else ""
            found.append(Difference("scim2-tester", result[2], says))
    return good, found if good else [Difference("scim2-tester", "start", done.stderr.strip()[-400:])]


def sanity(programs, base, token):
    """Runs scim-sanity; gives how many checks went well, and the rest."""
    done = subprocess.run(
        [programs / "scim-sanity", "probe", base, "--token", token, "--i-accept-side-effects", "--json-output"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    try:
        results = json.loads(done.stdout[done.stdout.index("{"):])["results"]
    except (ValueError, KeyError):
        return 0, [Difference("scim-sanity", "start", (done.stderr or done.stdout).strip()[-400:])]
    # What it skips are resource types of another draft, which the server does not have.
    found = [Difference("scim-sanity", r["name"], r.get("message") or "") for r in results
             if r["status"] not in ("pass", "skip")]
    return sum(r["status"] == "pass" for r in results), found


def known():
    """The listed differences, counted."""
    listed = collections.Counter()
    for line in (HERE / "known.txt").read_text().splitlines():
        if line and not line.startswith(("#", " ")):
            suite, count, check, says = line.split(" | ", 3)
            listed[Difference(suite, check, says)] += int(count)
    return listed


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    bad = 0
    with Server(sys.argv[1]) as server:
        keys = server.keys("exchanges.example")
        granting = server.keys("grants.example", "--grants", "on")
        cases = [(f, c) for f in sorted((HERE.parent / "Fixtures" / "exchanges").glob("*.json"))
                 for c in json.loads(f.read_text())]
        failed = 0
        for file, case in cases:
            why = exchanges.run(case, server.base, granting if file.name == "grants.json" else keys)
            if why:
                failed += 1
                print(f"exchanges: {file.name}: {case['name']}\n    {why}")
        print(f"exchanges: {len(cases) - failed} passed, {failed} failed")
        bad += failed

        programs = suites()
        if programs is None:
            return 1 if bad else 0
        listed = known()
        # scim2-tester sends nothing that is not in the RFCs, so that a strict key must get as far as another one.
        for name, run, profile in (("scim2-tester", tester, "interop"), ("scim2-tester", tester, "strict"),
                                   ("scim-sanity", sanity, "interop")):
            start = time.monotonic()
            good, found = run(programs, server.base, server.keys(f"{name}-{profile}.example", profiles=[profile])[profile])
            new = collections.Counter(found) - listed
            gone = collections.Counter({d: n for d, n in listed.items() if d.suite == name}) - collections.Counter(found)
            for difference in new:
                print(f"{name}: NEW: {difference.check}: {difference.says}")
            for difference in gone:
                print(f"{name}: GONE, take it out of known.txt: {difference.check}: {difference.says}")
            bad += len(new) + len(gone)
            print(f"{name} ({profile}): {good} passed, {len(found) - sum(new.values())} known differences, {sum(new.values())} new, "
                  f"{time.monotonic() - start:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
