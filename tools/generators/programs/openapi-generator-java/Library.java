import com.google.gson.Gson;
import java.util.List;
import lotline.ApiClient;
import lotline.ApiException;
import lotline.JSON;

/** What the programs need of okhttp and gson, the libraries of the client. */
final class Library {
  static ApiClient connect(String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("LOTLINE_BASE_URL"));
    client.setBearerToken(System.getenv(key));
    client.setReadTimeout(120_000);
    return client;
  }

  static Object read(String text, Class<?> type) {
    // The client makes its own reader with its first instance.
    return JSON.getGson().fromJson(text, type);
  }

  static String write(Object value) {
    return JSON.serialize(value);
  }

  static Object plain(String text) {
    return new Gson().fromJson(text, Object.class);
  }

  static String retryAfter(ApiException error) {
    return error.getResponseHeaders().getOrDefault("retry-after", List.of()).stream().findFirst().orElse(null);
  }

  private Library() {}
}
