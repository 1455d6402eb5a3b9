"""The clients of hard-use.sh: PORT HEAVY-KEY LIGHT-KEY SECONDS."""
import http.client
import json
import multiprocessing
import sys
import threading
import time
import urllib.parse

PORT, HEAVY, LIGHT, SECONDS = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
CORE = "urn:ietf:params:scim:schemas:core:2.0:"
ROLE, DRAFT = "urn:okta:scim:schemas:core:1.0:Role", "urn:ietf:params:scim:schemas:core:2.0:Role"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
BULK = "urn:ietf:params:scim:api:messages:2.0:BulkRequest"


class Client:
    def __init__(self, key):
        self.key = key
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body)
        fields = {"Authorization": "Bearer " + self.key, "Content-Type": "application/scim+json"}
        try:
            self.connection.request(method, "/scim/v2" + path, data, fields)
            answer = self.connection.getresponse()
            text = answer.read()
        except (http.client.HTTPException, OSError):
            self.connection.close()
            return 0, None
        return answer.status, json.loads(text) if text else None


def operations(*items):
    return {"schemas": [PATCH], "Operations": [dict(zip(("op", "path", "value"), item)) for item in items]}


def emails(count, tag):
    return [{"value": "%s%d@a.example" % (tag, n)} for n in range(count)]


def largest(client, make):
    """Creates a user as large as the program takes; gives its id and how many values it has."""
    for count in (48000, 16000, 4900, 2400):
        status, user = client.send("POST", "/Users", make(count))
        if status == 201:
            return user["id"], count
    raise SystemExit("no large user was taken: %s" % user)


def user(name, count, **more):
    return dict({"schemas": [CORE + "User"], "userName": name, "emails": emails(count, name)}, **more)


def searches(client):
    for n in range(4):
        largest(client, lambda count: user("fat%d" % n, count, title="fatty"))
    terms = " or ".join('value co "zz%d"' % n for n in range(190))
    path = "/Users?filter=" + urllib.parse.quote('title eq "fatty" and emails[%s]' % terms)
    return [lambda other: other.send("GET", path)]


def writes(client):
    ids = []
    for start in range(0, 3000, 500):
        for kind in ("above", "below"):
            items = [{"method": "POST", "path": "/Groups", "bulkId": "%s%d" % (kind, n),
                      "data": {"schemas": [CORE + "Group"], "displayName": "%s%d" % (kind, n)}}
                     for n in range(start, start + 500)]
            made = client.send("POST", "/Bulk", {"schemas": [BULK], "Operations": items})[1]
            ids += [(kind, item["location"].rsplit("/", 1)[1]) for item in made["Operations"]]
    hub = client.send("POST", "/Groups", {"schemas": [CORE + "Group"], "displayName": "hub"})[1]["id"]
    for start in range(0, 3000, 500):
        above = [i for kind, i in ids if kind == "above"][start:start + 500]
        client.send("POST", "/Bulk", {"schemas": [BULK], "Operations": [
            {"method": "PATCH", "path": "/Groups/" + i, "data": operations(("add", "members", [{"value": hub}]))}
            for i in above]})
    below = [{"value": i} for kind, i in ids if kind == "below"]
    counter = iter(range(10 ** 9))

    def hubs(other):
        other.send("PATCH", "/Groups/" + hub, operations(("add", "members", below)))
        other.send("PATCH", "/Groups/" + hub, operations(("remove", "members")))

    def roles(other):
        for count in (80000, 4900):
            status, role = other.send("POST", "/Roles", {
                "schemas": [ROLE, DRAFT], "displayName": "role %d" % next(counter),
                DRAFT: {"contains": ["part %d" % n for n in range(count)]}})
            if status == 201:
                other.send("PATCH", "/Roles/" + role["id"], operations(("replace", "description", "x")))
                other.send("DELETE", "/Roles/" + role["id"])

    def entitled(other):
        for count in (40000, 2400):
            status, made = other.send("POST", "/Users", {
                "schemas": [CORE + "User"], "userName": "entitled %d" % next(counter),
                "entitlements": [{"value": "nothing %d" % n} for n in range(count)]})
            if status == 201:
                other.send("DELETE", "/Users/" + made["id"])

    def bulk(other):
        made = [largest(other, lambda count: user("bulk%d" % next(counter), count)) for _ in range(6)]
        other.send("POST", "/Bulk", {"schemas": [BULK], "Operations": [
            {"method": "PUT", "path": "/Users/" + i, "data": user("bulk%d" % next(counter), min(count, 2400))}
            for i, count in made]})
        other.send("POST", "/Bulk", {"schemas": [BULK], "Operations": [
            {"method": "DELETE", "path": "/Users/" + i} for i, _ in made]})

    def deletion(other):
        first = other.send("GET", "/Roles?count=1&attributes=id")[1]
        if first and first.get("Resources"):
            other.send("DELETE", "/Roles/" + first["Resources"][0]["id"])

    return [hubs, roles, entitled, bulk, deletion]


def measure(name, work, connections):
    """Runs the work over some connections; beside it one client reads and one writes, whose times are printed."""
    end = time.monotonic() + SECONDS
    times = {"GET": [], "PATCH": []}
    users = [item["id"] for item in Client(LIGHT).send("GET", "/Users?count=2&attributes=id")[1]["Resources"]]

    def heavy():
        client = Client(HEAVY)
        while time.monotonic() < end and work:
            for each in work:
                if time.monotonic() < end:
                    each(client)

    def light(method):
        client, number = Client(LIGHT), 0
        while time.monotonic() < end:
            number += 1
            body = operations(("replace", "title", "title %d" % number)) if method == "PATCH" else None
            start = time.monotonic()
            status, _ = client.send(method, "/Users/" + users[method == "PATCH"], body)
            times[method].append((time.monotonic() - start) * 1000)
            if status != 200:
                print("%s was answered %d" % (method, status))
            time.sleep(0.002)

    # In processes of their own: making a body of 80,000 values would hold up the threads that measure.
    others = [multiprocessing.get_context("fork").Process(target=heavy) for _ in range(connections)]
    others += [threading.Thread(target=light, args=(method,)) for method in times]
    for other in others:
        other.start()
    for other in others:
        other.join()
    for method, taken in times.items():
        taken.sort()
        print("%-28s %-5s %6d requests, p50 %7.1f ms, p99 %7.1f ms, most %7.1f ms" % (
            name, method, len(taken), taken[len(taken) // 2], taken[min(len(taken) * 99 // 100, len(taken) - 1)], taken[-1]))


client = Client(HEAVY)
measure("alone", [], 0)
measure("beside searches", searches(client), 6)
measure("beside writes", writes(client), 1)
