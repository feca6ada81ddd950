// The scenario with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"lotline.example/client/lotline"
)

var ctx = context.Background()

func connect(key string) *lotline.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(key))
		return nil
	}
	return must(lotline.NewClientWithResponses(os.Getenv("LOTLINE_BASE_URL"), lotline.WithRequestEditorFn(authorize)))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func assert(condition bool, seen any) {
	if !condition {
		panic(fmt.Sprintf("%+v", seen))
	}
}

const search = `{
  "filters": {
    "status": "for_sale", "homeTypes": ["house"], "beds": {"min": 2}, "price": {"max": 2000000},
    "bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65}
  },
  "maxItems": 5
}`

func main() {
	client := connect("LOTLINE_API_KEY")

	got := must(client.GetPropertyWithResponse(ctx, "48749425", nil))
	assert(got.JSON200 != nil && *got.JSON200.Data.Zpid == "48749425", got.Status())
	fmt.Println("ok get")

	address := lotline.GetPropertyByAddressParams{Address: "2114 Bigelow Ave N, Seattle, WA 98109"}
	found := must(client.GetPropertyByAddressWithResponse(ctx, &address))
	assert(found.JSON200 != nil && *found.JSON200.Data.Zpid == "48749425", found.Status())
	fmt.Println("ok by-address")

	var filters lotline.SearchRequest
	assert(json.Unmarshal([]byte(search), &filters) == nil, search)
	searched := must(client.SearchListingsWithResponse(ctx, nil, filters))
	assert(searched.JSON200 != nil && len(searched.JSON200.Data) > 0, searched.Status())
	for _, row := range searched.JSON200.Data {
		assert(*row.Beds >= 2 && *row.UnformattedPrice <= 2_000_000, row)
	}
	fmt.Println("ok search")

	readBothStatuses(client)
	fmt.Println("ok rows-or-job")

	home := lotline.WatchInput{Name: "Scenario", Zpids: &[]string{"48749425"}}
	watch := must(client.CreateWatchWithResponse(ctx, nil, home))
	assert(watch.JSON201 != nil, watch.Status())
	assert(must(client.DeleteWatchWithResponse(ctx, watch.JSON201.Data.Id)).StatusCode() == 204, watch.JSON201)
	fmt.Println("ok watch")

	receiver := os.Getenv("LOTLINE_RECEIVER_URL")
	registered := must(client.CreateWebhookWithResponse(ctx, nil, lotline.WebhookInput{Url: receiver}))
	assert(registered.JSON201 != nil && strings.HasPrefix(registered.JSON201.Data.Secret, "whsec_"), registered.Status())

	urls := []string{"https://www.zillow.com/homedetails/48749425_zpid/"}
	started := must(client.CreatePropertyBatchWithResponse(ctx, nil, lotline.BatchRequest{Urls: &urls}))
	assert(started.JSON202 != nil, started.Status())
	id := started.JSON202.Data.JobId
	until(func() bool {
		job := must(client.GetJobWithResponse(ctx, id))
		return job.JSON200 != nil && job.JSON200.Data.Status == "succeeded"
	})
	results := must(client.GetJobResultsWithResponse(ctx, id, nil))
	assert(results.JSON200 != nil && len(results.JSON200.Data) == 1, results.Status())
	rows := string(must(json.Marshal(results.JSON200.Data)))
	assert(strings.Contains(rows, `"zpid":"48749425"`), rows)
	fmt.Println("ok batch")

	var event lotline.JobEvent
	until(func() bool {
		response := must(http.Get(receiver))
		defer response.Body.Close()
		body := must(io.ReadAll(response.Body))
		return response.StatusCode == 200 && json.Unmarshal(body, &event) == nil
	})
	assert(event.Type == "job.succeeded" && event.Data.Job.Id == id, event)
	fmt.Println("ok webhook")

	refused := must(connect("LOTLINE_EMPTY_KEY").GetAccountWithResponse(ctx))
	assert(refused.JSON402 != nil && refused.JSON402.Error.Code == "out_of_credits", refused.Status())
	fmt.Println("ok out-of-credits")

	absent := must(client.GetPropertyWithResponse(ctx, "99999999999", nil))
	assert(absent.JSON404 != nil && absent.JSON404.Error.Code == "not_found", absent.Status())
	fmt.Println("ok not-found")

	limited := connect("LOTLINE_LIMITED_KEY")
	last := must(limited.GetAccountWithResponse(ctx))
	for calls := 1; calls < 3; calls++ {
		last = must(limited.GetAccountWithResponse(ctx))
	}
	assert(last.JSON429 != nil && last.JSON429.Error.Code == "rate_limited", last.Status())
	assert(last.HTTPResponse.Header.Get("Retry-After") != "", last.HTTPResponse.Header)
	fmt.Println("ok rate-limited")
}

const rows = `{
  "filters": {"bbox": {"west": -122.36, "south": 47.6, "east": -122.3, "north": 47.65}}, "maxItems": 1
}`

const building = "https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/"

// Each operation that returns rows, or a job.
func readBothStatuses(client *lotline.ClientWithResponses) {
	var request lotline.SearchRequest
	assert(json.Unmarshal([]byte(rows), &request) == nil, rows)
	isJob, isSync := true, false
	job := request
	job.Async = &isJob

	search := func(body lotline.SearchRequest) (*lotline.SearchResult, *lotline.JobAccepted) {
		got := must(client.SearchListingsWithResponse(ctx, nil, body))
		return got.JSON200, got.JSON202
	}
	forSale := func(body lotline.SearchRequest) (*lotline.SearchResult, *lotline.JobAccepted) {
		got := must(client.SearchForSaleWithResponse(ctx, nil, body))
		return got.JSON200, got.JSON202
	}
	forRent := func(body lotline.SearchRequest) (*lotline.SearchResult, *lotline.JobAccepted) {
		got := must(client.SearchForRentWithResponse(ctx, nil, body))
		return got.JSON200, got.JSON202
	}
	sold := func(body lotline.SearchRequest) (*lotline.SearchResult, *lotline.JobAccepted) {
		got := must(client.SearchSoldWithResponse(ctx, nil, body))
		return got.JSON200, got.JSON202
	}
	for _, call := range []func(lotline.SearchRequest) (*lotline.SearchResult, *lotline.JobAccepted){
		search, forSale, forRent, sold,
	} {
		found, none := call(request)
		assert(found != nil && none == nil, "rows")
		nothing, accepted := call(job)
		assert(nothing == nil && accepted != nil && accepted.Data.JobId.String() != "", "a job")
	}
	units := must(client.GetBuildingUnitsWithResponse(ctx, &lotline.GetBuildingUnitsParams{Url: building}))
	assert(units.JSON200 != nil && len(units.JSON200.Data.Units) > 0, units.Status())
	extraction := lotline.GetBuildingUnitsParams{Url: building, Sync: &isSync}
	accepted := must(client.GetBuildingUnitsWithResponse(ctx, &extraction))
	assert(accepted.JSON202 != nil && accepted.JSON202.Data.JobId.String() != "", accepted.Status())
}

func until(done func() bool) {
	for waited := 0; !done(); waited++ {
		assert(waited < 120, "nothing came within 30 s")
		time.Sleep(250 * time.Millisecond)
	}
}
