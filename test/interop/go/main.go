// Command interop runs the cases with the published client for Go, of A2A 0.3, and prints a line of JSON for each:
// interop URL BINDING VERSION [CASE...]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const timeout = 2 * time.Minute

type result struct {
	Case   string `json:"case"`
	Passed bool   `json:"passed"`
	Detail string `json:"detail,omitempty"`
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	url, binding, names := os.Args[1], os.Args[2], os.Args[4:]
	sdk, err := connect(ctx, url, binding)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range names {
		err := cases[name](ctx, sdk)
		outcome := result{Case: name, Passed: err == nil}
		if err != nil {
			outcome.Detail = err.Error()
		}
		line, _ := json.Marshal(outcome)
		fmt.Println(string(line))
	}
}
