// A receiver of webhooks that believes nothing it cannot verify, and does nothing twice.
//
// Settings: PORT; ISSUER and JWKS_URL, of the gateway; AUDIENCE, the origin of its own URL as the config has it; SECRET,
// the whsec_ token of the config if it has one. It prints a line for each event that it takes, and one that says why for
// each that it refuses.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const toleranceSeconds = 300

var (
	issuer   = os.Getenv("ISSUER")
	jwksURL  = setting("JWKS_URL", issuer+"/.well-known/jwks.json")
	audience = os.Getenv("AUDIENCE")
	secret   = os.Getenv("SECRET")

	// Ids that were taken, and until when one may come again. A real receiver keeps them where it keeps its work.
	taken = map[string]int64{}
	mutex sync.Mutex
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "9000"))
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on port %s, for %s\n", setting("PORT", "9000"), audience)
	panic(http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 64<<20))
		if err == nil {
			err = check(request.Header, body)
		}
		if err != nil {
			fmt.Printf("refused %s: %s\n", request.Header.Get("webhook-id"), err)
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// What was taken before is taken again, or it would be sent for ever.
		if isNew(request.Header.Get("webhook-id")) {
			fmt.Printf("taken %s %s\n", request.Header.Get("webhook-id"), body)
		}
		response.WriteHeader(http.StatusOK)
	})))
}

func isNew(id string) bool {
	mutex.Lock()
	defer mutex.Unlock()
	now := time.Now().Unix()
	for known, until := range taken {
		if until < now {
			delete(taken, known)
		}
	}
	_, isKnown := taken[id]
	taken[id] = now + 2*toleranceSeconds
	return !isKnown
}

// Why a delivery is not to be believed; nil for one that is.
func check(headers http.Header, body []byte) error {
	at, err := strconv.ParseInt(headers.Get("webhook-timestamp"), 10, 64)
	now := time.Now().Unix()
	if err != nil || at < now-toleranceSeconds || at > now+toleranceSeconds {
		return errors.New("webhook-timestamp is not of these five minutes")
	}
	if secret != "" && !isSigned(headers, body) {
		return errors.New("webhook-signature is not made with SECRET")
	}
	claims, err := verifiedClaims(headers.Get("A2A-Notification-Signature"), now)
	if err != nil {
		return err
	}
	if claims.ID != headers.Get("webhook-id") {
		return errors.New("the JWT is about another webhook-id")
	}
	if hash := sha256.Sum256(body); claims.BodyHash != hex.EncodeToString(hash[:]) {
		return errors.New("the JWT is about another body")
	}
	return nil
}

// Standard Webhooks: an HMAC of id, time and body.
func isSigned(headers http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), headers.Get("webhook-timestamp"))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(signature)) {
			return true
		}
	}
	return false
}

type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
	ID       string `json:"jti"`
	BodyHash string `json:"body_sha256"`
}

// The JWT: from this deployment, for this receiver, of these five minutes.
func verifiedClaims(jwt string, now int64) (claims, error) {
	var found claims
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		return found, errors.New("A2A-Notification-Signature is no JWT")
	}
	var header struct{ Alg, Kid string }
	if err := decoded(parts[0], &header); err != nil || header.Alg != "ES256" {
		return found, errors.New("the JWT has another algorithm than ES256")
	}
	key, err := publicKey(header.Kid)
	if err != nil {
		return found, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return found, errors.New("the JWT has no signature of ES256")
	}
	hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(key, hash[:], r, s) {
		return found, errors.New("the JWT does not verify with the key of the gateway")
	}
	if err := decoded(parts[1], &found); err != nil {
		return found, err
	}
	if found.Issuer != issuer {
		return found, fmt.Errorf("the JWT is of iss %q, and ISSUER is %q", found.Issuer, issuer)
	}
	if found.Audience != audience {
		return found, fmt.Errorf("the JWT is for aud %q, and AUDIENCE is %q", found.Audience, audience)
	}
	if now < found.IssuedAt-toleranceSeconds || now > found.Expires {
		return found, errors.New("the JWT is of another time")
	}
	return found, nil
}

// A real receiver keeps the keys for some minutes.
func publicKey(kid string) (*ecdsa.PublicKey, error) {
	response, err := http.Get(jwksURL)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var set struct{ Keys []struct{ Kid, X, Y string } }
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil {
		return nil, err
	}
	for _, key := range set.Keys {
		if key.Kid != kid {
			continue
		}
		x, errX := base64.RawURLEncoding.DecodeString(key.X)
		y, errY := base64.RawURLEncoding.DecodeString(key.Y)
		point := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		return point, errors.Join(errX, errY)
	}
	return nil, errors.New("the JWT names a key that is not in the JWK Set of the gateway")
}

func decoded(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func setting(name, byDefault string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return byDefault
}
