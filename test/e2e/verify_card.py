"""Verifies the card on its standard input with the published SDK, by the key set that comes along."""

import json
import sys

from a2a.types import AgentCard
from a2a.utils.signing import create_signature_verifier
from google.protobuf.json_format import ParseDict
from jwt import PyJWK

given = json.load(sys.stdin)
keys = {key["kid"]: PyJWK(key) for key in given["jwks"]["keys"]}
verify = create_signature_verifier(lambda kid, jku: keys[kid], ["ES256"])
verify(ParseDict(given["card"], AgentCard()))
print("verified")
