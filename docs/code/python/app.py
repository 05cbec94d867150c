import json, os, urllib.request


def names():
    request = urllib.request.Request(os.environ["MEMORY_API_URL"] + "/v1/memories")
    request.add_unredirected_header("Authorization", "Bearer " + os.environ["MEMORY_API_KEY"])
    with urllib.request.urlopen(request, timeout=10) as response:
        return [memory["name"] for memory in json.loads(response.read())]
