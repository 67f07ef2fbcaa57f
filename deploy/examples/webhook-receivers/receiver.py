"""A receiver of webhooks that believes nothing it cannot verify, and does nothing twice.

Needs the package `cryptography`. Settings: PORT; ISSUER and JWKS_URL, of the gateway; AUDIENCE, the origin of its own
URL as the config has it; SECRET, the `whsec_` token of the config if it has one. It prints a line for each event that it
takes, and one that says why for each that it refuses.
"""

import base64
import hashlib
import hmac
import json
import os
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

PORT = int(os.environ.get("PORT", "9000"))
ISSUER = os.environ["ISSUER"]
JWKS_URL = os.environ.get("JWKS_URL", f"{ISSUER}/.well-known/jwks.json")
AUDIENCE = os.environ["AUDIENCE"]
SECRET = os.environ.get("SECRET")
TOLERANCE_SECONDS = 300

# Ids that were taken, and until when one may come again. A real receiver keeps them where it keeps its work.
taken: dict[str, float] = {}


class Refused(Exception):
    """A delivery is not to be believed; says why."""


def answer_to(headers, body: bytes) -> int:
    """401 for what is not to be believed. What was taken before is taken again, or it would be sent for ever."""
    now = time.time()
    delivery_id = headers["webhook-id"]
    try:
        check(headers, body, now)
    except Refused as refusal:
        print(f"refused {delivery_id}: {refusal}", flush=True)
        return 401
    for known in [known for known, until in taken.items() if until < now]:
        del taken[known]
    if delivery_id not in taken:
        taken[delivery_id] = now + 2 * TOLERANCE_SECONDS
        print(f"taken {delivery_id} {body.decode()}", flush=True)
    return 200


def check(headers, body: bytes, now: float) -> None:
    """Raises Refused unless the delivery is genuine, for this receiver, and new."""
    timestamp = headers["webhook-timestamp"] or ""
    if not timestamp.isdecimal() or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        raise Refused("webhook-timestamp is not of these five minutes")
    if SECRET and not is_signed(headers, body):
        raise Refused("webhook-signature is not made with SECRET")
    try:
        claims = verified_claims(headers["a2a-notification-signature"] or "", now)
    except (InvalidSignature, KeyError, TypeError, ValueError, OSError) as error:
        raise Refused(f"the JWT does not verify: {error!r}") from error
    if claims.get("jti") != headers["webhook-id"]:
        raise Refused("the JWT is about another webhook-id")
    if claims.get("body_sha256") != hashlib.sha256(body).hexdigest():
        raise Refused("the JWT is about another body")


def is_signed(headers, body: bytes) -> bool:
    """Standard Webhooks: an HMAC of id, time and body."""
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    given = (headers["webhook-signature"] or "").split(" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)


def verified_claims(jwt: str, now: float) -> dict:
    """The JWT: from this deployment, for this receiver, of these five minutes."""
    signed, _, signature = jwt.rpartition(".")
    header, claims = (json.loads(decoded(part)) for part in signed.split("."))
    if header["alg"] != "ES256":
        raise ValueError("another algorithm")
    raw = decoded(signature)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    public_key(header["kid"]).verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    if claims["iss"] != ISSUER:
        raise Refused(f"the JWT is of iss \"{claims['iss']}\", and ISSUER is \"{ISSUER}\"")
    if claims["aud"] != AUDIENCE:
        raise Refused(f"the JWT is for aud \"{claims['aud']}\", and AUDIENCE is \"{AUDIENCE}\"")
    if not claims["iat"] - TOLERANCE_SECONDS <= now <= claims["exp"]:
        raise Refused("the JWT is of another time")
    return claims


def public_key(kid: str) -> ec.EllipticCurvePublicKey:
    """A real receiver keeps the keys for some minutes."""
    with urllib.request.urlopen(JWKS_URL, timeout=5) as response:
        keys = {key["kid"]: key for key in json.load(response)["keys"]}
    x, y = (int.from_bytes(decoded(keys[kid][name]), "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(answer_to(self.headers, body))
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_args) -> None:
        """What was taken or refused is shown, with the reason."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on port {PORT}, for {AUDIENCE}", flush=True)
    server.serve_forever()
