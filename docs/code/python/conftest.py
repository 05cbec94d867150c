import json, os, urllib.error, urllib.request

import pytest

CONTROL = os.environ.get("MOCK_CONTROL_URL", "http://127.0.0.1:8791")


def control(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(CONTROL + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=70) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        pytest.fail(error.read().decode())  # says what to change
    except urllib.error.URLError:
        start = "npx @memory-read/cli mock --control-port 8791"
        pytest.fail(f"Failed to reach the mock at {CONTROL}. Start it: {start}", pytrace=False)


@pytest.fixture
def mock(monkeypatch):
    space = control("POST", "/spaces", {})
    monkeypatch.setenv("MEMORY_API_URL", space["baseUrl"])
    monkeypatch.setenv("MEMORY_API_KEY", space["apiKey"])
    yield lambda method, path, body=None: control(method, f"/spaces/{space['id']}{path}", body)
    control("DELETE", f"/spaces/{space['id']}")
