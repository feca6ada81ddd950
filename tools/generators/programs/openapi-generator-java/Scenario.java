import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import lotline.ApiClient;
import lotline.ApiException;
import lotline.api.AccountApi;
import lotline.api.BuildingsApi;
import lotline.api.JobsApi;
import lotline.api.ListingsApi;
import lotline.api.PropertiesApi;
import lotline.api.SearchApi;
import lotline.api.WatchesApi;
import lotline.api.WebhooksApi;
import lotline.model.AcceptedJobAnswer;
import lotline.model.BatchRequest;
import lotline.model.BoundingBox;
import lotline.model.Error;
import lotline.model.GetBuildingUnits200Response;
import lotline.model.HomeType;
import lotline.model.NumberRange;
import lotline.model.SearchFilters;
import lotline.model.SearchRequest;
import lotline.model.SearchResult;
import lotline.model.SearchStatus;
import lotline.model.JobEvent;
import lotline.model.WatchInput;
import lotline.model.WebhookInput;
import okhttp3.Call;
import okhttp3.Response;

/** The scenario with the Java client of openapi-generator. */
final class Scenario {
  public static void main(String[] args) throws Exception {
    PropertiesApi properties = new PropertiesApi(Library.connect("LOTLINE_API_KEY"));

    check(properties.getProperty("48749425").execute().getData().getZpid().equals("48749425"), "get");
    System.out.println("ok get");

    String address = "2114 Bigelow Ave N, Seattle, WA 98109";
    check(properties.getPropertyByAddress(address).execute().getData().getZpid().equals("48749425"), "by-address");
    System.out.println("ok by-address");

    SearchFilters filters =
        new SearchFilters()
            .status(SearchStatus.FOR_SALE)
            .homeTypes(List.of(HomeType.HOUSE))
            .beds(new NumberRange().min(2.0))
            .price(new NumberRange().max(2_000_000.0))
            .bbox(
                new BoundingBox()
                    .west(-122.36)
                    .south(47.6)
                    .east(-122.3)
                    .north(47.65));
    SearchApi searches = new SearchApi(Library.connect("LOTLINE_API_KEY"));
    SearchResult found = searches.searchListings(new SearchRequest().filters(filters).maxItems(5)).execute();
    check(!found.getData().isEmpty(), found);
    found.getData().forEach(row -> check(row.getBeds().doubleValue() >= 2, row));
    found.getData().forEach(row -> check(row.getUnformattedPrice().doubleValue() <= 2_000_000, row));
    System.out.println("ok search");

    readBothStatuses();
    System.out.println("ok rows-or-job");

    WatchesApi watches = new WatchesApi(Library.connect("LOTLINE_API_KEY"));
    UUID watch = watches.createWatch(new WatchInput().name("Scenario").addZpidsItem("48749425")).execute().getData().getId();
    watches.deleteWatch(watch).execute();
    System.out.println("ok watch");

    URI receiver = URI.create(System.getenv("LOTLINE_RECEIVER_URL"));
    WebhooksApi webhooks = new WebhooksApi(Library.connect("LOTLINE_API_KEY"));
    String secret = webhooks.createWebhook(new WebhookInput().url(receiver)).execute().getData().getSecret();
    check(secret.startsWith("whsec_"), secret);

    BatchRequest batch = new BatchRequest().addUrlsItem(URI.create("https://www.zillow.com/homedetails/48749425_zpid/"));
    UUID id = properties.createPropertyBatch(batch).execute().getData().getJobId();
    JobsApi jobs = new JobsApi(Library.connect("LOTLINE_API_KEY"));
    until(() -> jobs.getJob(id).execute().getData().getStatus().equals("succeeded"));
    List<?> rows = jobs.getJobResults(id).execute().getData();
    check(rows.size() == 1 && Library.write(rows).contains("\"zpid\":\"48749425\""), rows);
    System.out.println("ok batch");

    HttpRequest receive = HttpRequest.newBuilder(receiver).build();
    String[] body = new String[1];
    until(
        () -> {
          HttpResponse<String> response =
              HttpClient.newHttpClient().send(receive, HttpResponse.BodyHandlers.ofString());
          body[0] = response.body();
          return response.statusCode() == 200;
        });
    JobEvent event = (JobEvent) Library.read(body[0], JobEvent.class);
    check(event.getType().equals("job.succeeded") && event.getData().getJob().getId().equals(id), event);
    System.out.println("ok webhook");

    refused(402, "out_of_credits", () -> new AccountApi(Library.connect("LOTLINE_EMPTY_KEY")).getAccount().execute());
    System.out.println("ok out-of-credits");

    refused(404, "not_found", () -> properties.getProperty("99999999999").execute());
    System.out.println("ok not-found");

    AccountApi limited = new AccountApi(Library.connect("LOTLINE_LIMITED_KEY"));
    limited.getAccount().execute();
    limited.getAccount().execute();
    ApiException last = refused(429, "rate_limited", () -> limited.getAccount().execute());
    check(Integer.parseInt(Library.retryAfter(last)) > 0, last);
    System.out.println("ok rate-limited");
    // Threads of a client would keep the program alive.
    System.exit(0);
  }

  /** Each operation that returns rows, or a job. */
  private static void readBothStatuses() throws Exception {
    ApiClient client = Library.connect("LOTLINE_API_KEY");
    SearchFilters seattle =
        new SearchFilters().bbox(new BoundingBox().west(-122.36).south(47.6).east(-122.3).north(47.65));
    SearchRequest rows = new SearchRequest().filters(seattle).maxItems(1);
    SearchRequest job = new SearchRequest().filters(seattle).maxItems(1).async(true);
    SearchApi searches = new SearchApi(client);
    ListingsApi listings = new ListingsApi(client);
    expectBoth(
        searches.searchListings(rows).buildCall(null),
        searches.searchListings(job).buildCall(null),
        SearchResult.class);
    expectBoth(
        listings.searchForSale(rows).buildCall(null),
        listings.searchForSale(job).buildCall(null),
        SearchResult.class);
    expectBoth(
        listings.searchForRent(rows).buildCall(null),
        listings.searchForRent(job).buildCall(null),
        SearchResult.class);
    expectBoth(
        listings.searchSold(rows).buildCall(null),
        listings.searchSold(job).buildCall(null),
        SearchResult.class);
    URI building = URI.create("https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/");
    BuildingsApi buildings = new BuildingsApi(client);
    expectBoth(
        buildings.getBuildingUnits(building).buildCall(null),
        buildings.getBuildingUnits(building).sync(false).buildCall(null),
        GetBuildingUnits200Response.class);
  }

  private static void expectBoth(Call rows, Call job, Class<?> type) throws Exception {
    Object found = answer(rows, type);
    check(type.isInstance(found), found);
    Object accepted = answer(job, type);
    check(accepted instanceof AcceptedJobAnswer && ((AcceptedJobAnswer) accepted).getData().getJobId() != null, accepted);
  }

  private static Object answer(Call call, Class<?> type) throws Exception {
    ApiClient client = Library.connect("LOTLINE_API_KEY");
    try (Response response = call.execute()) {
      return client.handleResponse(response, response.code() == 202 ? AcceptedJobAnswer.class : type);
    }
  }

  private static ApiException refused(int status, String code, Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (ApiException refusal) {
      Error body = (Error) Library.read(refusal.getResponseBody(), Error.class);
      check(refusal.getCode() == status && body.getError().getCode().equals(code), refusal);
      return refusal;
    }
    throw new AssertionError("The call was not refused with " + code);
  }

  private static void until(Callable<Boolean> done) throws Exception {
    for (int waited = 0; !done.call(); waited++) {
      check(waited < 120, "nothing came within 30 s");
      Thread.sleep(250);
    }
  }

  private static void check(boolean condition, Object seen) {
    if (!condition) throw new AssertionError(seen);
  }

  private Scenario() {}
}
