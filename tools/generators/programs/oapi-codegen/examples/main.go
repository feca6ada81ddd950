// Reads each example with the parser of its operation, and writes it again: nothing may be lost on the way.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"time"
)

type example struct {
	Kind        string
	OperationID string `json:"operationId"`
	Status      string
	Name        string
	Value       json.RawMessage
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var examples []example
	if err := json.Unmarshal(text, &examples); err != nil {
		panic(err)
	}
	failures := 0
	for _, one := range examples {
		if problem := check(one); problem != "" {
			failures++
			fmt.Println(one.OperationID, one.Kind, one.Status, one.Name+":", problem)
		}
	}
	fmt.Println("read", len(examples)-failures)
	if failures > 0 {
		os.Exit(1)
	}
}

func check(one example) string {
	read, err := readExample(one)
	if err != nil {
		return err.Error()
	}
	written, err := json.Marshal(read)
	if err != nil {
		return err.Error()
	}
	return difference(decode(one.Value), decode(written), "")
}

func readExample(one example) (any, error) {
	if one.Kind != "response" {
		body := newBody(one.OperationID)
		err := json.Unmarshal(one.Value, body)
		return body, err
	}
	status, err := strconv.Atoi(one.Status)
	if err != nil {
		return nil, err
	}
	parsed, err := parseResponse(one.OperationID, &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(one.Value)),
	})
	if err != nil {
		return nil, err
	}
	body := reflect.ValueOf(parsed).Elem().FieldByName("JSON" + one.Status)
	if !body.IsValid() || body.IsNil() {
		return nil, fmt.Errorf("the operation has no type for this response")
	}
	return body.Interface(), nil
}

func decode(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}

// A generated type may write an instant or a number in another notation, add fields and leave out nulls. It must not
// lose or change anything else.
func difference(sent, read any, path string) string {
	switch sent := sent.(type) {
	case map[string]any:
		read, ok := read.(map[string]any)
		if !ok {
			break
		}
		for name, value := range sent {
			if value == nil && read[name] == nil {
				continue
			}
			if _, known := read[name]; !known {
				return path + "/" + name + " is lost"
			}
			if found := difference(value, read[name], path+"/"+name); found != "" {
				return found
			}
		}
		return ""
	case []any:
		read, ok := read.([]any)
		if !ok || len(sent) != len(read) {
			break
		}
		for at, value := range sent {
			if found := difference(value, read[at], fmt.Sprintf("%s/%d", path, at)); found != "" {
				return found
			}
		}
		return ""
	case json.Number:
		if read, ok := read.(json.Number); ok {
			a, _ := sent.Float64()
			b, _ := read.Float64()
			if a == b {
				return ""
			}
		}
	case string:
		if read, ok := read.(string); ok && (sent == read || sameInstant(sent, read)) {
			return ""
		}
	default:
		if sent == read {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v instead of %v", path, read, sent)
}

func sameInstant(a, b string) bool {
	first, err := time.Parse(time.RFC3339, a)
	if err != nil {
		return false
	}
	second, err := time.Parse(time.RFC3339, b)
	return err == nil && first.Equal(second)
}
