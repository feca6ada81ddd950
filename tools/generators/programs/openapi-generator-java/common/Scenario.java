import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import lotline.ApiException;
import lotline.api.AccountApi;
import lotline.api.JobsApi;
import lotline.api.PropertiesApi;
import lotline.api.SearchApi;
import lotline.api.WebhooksApi;
import lotline.model.BatchRequest;
import lotline.model.BoundingBox;
import lotline.model.Error;
import lotline.model.HomeType;
import lotline.model.NumberRange;
import lotline.model.SearchFilters;
import lotline.model.SearchRequest;
import lotline.model.SearchResult;
import lotline.model.SearchStatus;
import lotline.model.JobEvent;
import lotline.model.WebhookInput;

/** The scenario with the Java client of openapi-generator. */
final class Scenario {
  public static void main(String[] args) throws Exception {
    PropertiesApi properties = new PropertiesApi(Library.connect("LOTLINE_API_KEY"));

    check(properties.getProperty("48749425", null, null, null).getData().getZpid().equals("48749425"), "get");
    System.out.println("ok get");

    String address = "2114 Bigelow Ave N, Seattle, WA 98109";
    check(properties.getPropertyByAddress(address, null, null, null, null).getData().getZpid().equals("48749425"), "by-address");
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
    SearchResult found = searches.searchListings(new SearchRequest().filters(filters).maxItems(5), null, null, null);
    check(!found.getData().isEmpty(), found);
    found.getData().forEach(row -> check(row.getBeds().doubleValue() >= 2, row));
    found.getData().forEach(row -> check(row.getUnformattedPrice().doubleValue() <= 2_000_000, row));
    System.out.println("ok search");

    URI receiver = URI.create(System.getenv("LOTLINE_RECEIVER_URL"));
    WebhooksApi webhooks = new WebhooksApi(Library.connect("LOTLINE_API_KEY"));
    String secret = webhooks.createWebhook(new WebhookInput().url(receiver)).getData().getSecret();
    check(secret.startsWith("whsec_"), secret);

    BatchRequest batch = new BatchRequest().addUrlsItem(URI.create("https://www.zillow.com/homedetails/48749425_zpid/"));
    UUID id = properties.createPropertyBatch(batch, null, null).getData().getJobId();
    JobsApi jobs = new JobsApi(Library.connect("LOTLINE_API_KEY"));
    until(() -> jobs.getJob(id).getData().getStatus().equals("succeeded"));
    List<?> rows = jobs.getJobResults(id, null, null, null, null).getData();
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

    refused(402, "out_of_credits", () -> new AccountApi(Library.connect("LOTLINE_EMPTY_KEY")).getAccount());
    System.out.println("ok out-of-credits");

    refused(404, "not_found", () -> properties.getProperty("99999999999", null, null, null));
    System.out.println("ok not-found");

    AccountApi limited = new AccountApi(Library.connect("LOTLINE_LIMITED_KEY"));
    limited.getAccount();
    limited.getAccount();
    ApiException last = refused(429, "rate_limited", limited::getAccount);
    check(Integer.parseInt(Library.retryAfter(last)) > 0, last);
    System.out.println("ok rate-limited");
    // Threads of a client would keep the program alive.
    System.exit(0);
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
