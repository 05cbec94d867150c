import http.client, urllib.error

import pytest

from app import names


def wait_for_requests(mock, count):
    found, after = [], 0
    while len(found) < count:
        log = mock("GET", f"/requests?after={after}&wait=5")
        assert log["requests"], f"only {len(found)} of {count} requests came"
        found, after = found + log["requests"], log["next"]
    return found


def test_the_newest_memory_comes_first(mock):
    mock("POST", "/memories", {"memory": {"name": "Stand-up"}})
    assert names()[0] == "Stand-up"


def test_an_outage_is_an_error(mock):
    mock("POST", "/faults", {"fault": {"status": 503}, "times": "always"})
    with pytest.raises(urllib.error.HTTPError):
        names()


def test_a_cut_body_is_an_error(mock):
    mock("POST", "/faults", {"fault": {"stop": {"share": 0.5}, "by": "end"}, "times": 1})
    with pytest.raises(http.client.IncompleteRead):
        names()


def test_the_key_does_not_follow_a_redirect(mock):
    mock("POST", "/faults", {"fault": {"redirect": 302, "to": "elsewhere"}, "times": 1})
    assert names() == []  # the response of the other host
    sent = [(request["to"], request["keyIn"]) for request in wait_for_requests(mock, 2)]
    assert sent == [("api", ["authorization"]), ("elsewhere", [])]
