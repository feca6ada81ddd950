import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import lotline.ApiClient;
import lotline.ApiException;

/** What differs between the libraries that a Java client can be generated for: here java.net.http and Jackson. */
final class Library {
  private static final ObjectMapper MAPPER = ApiClient.createDefaultObjectMapper();

  static ApiClient connect(String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("LOTLINE_BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv(key)));
    client.setReadTimeout(Duration.ofMinutes(2));
    return client;
  }

  static Object read(String text, Class<?> type) throws Exception {
    return MAPPER.readValue(text, type);
  }

  static String write(Object value) throws Exception {
    return MAPPER.writeValueAsString(value);
  }

  static Object plain(String text) throws Exception {
    return new ObjectMapper().readValue(text, Object.class);
  }

  static String retryAfter(ApiException error) {
    return error.getResponseHeaders().firstValue("retry-after").orElse(null);
  }

  private Library() {}
}
