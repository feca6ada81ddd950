import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lotline.ApiClient;

/** Reads each example into the class of its body, and writes it again: nothing may be lost on the way. */
final class Examples {
  private static final List<String> APIS =
      List.of("Account", "Buildings", "Jobs", "Keys", "Listings", "Properties", "Search", "Watches", "Webhooks");

  /** The file has one example on each line, and its body as JSON text of its own on the next. */
  public static void main(String[] args) throws Exception {
    new ApiClient();
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    int failures = 0;
    for (int at = 0; at < lines.size(); at += 2) {
      Map<?, ?> example = (Map<?, ?>) Library.plain(lines.get(at));
      String problem;
      try {
        Object read = Library.read(lines.get(at + 1), typeOf(example));
        problem = difference(Library.plain(lines.get(at + 1)), Library.plain(Library.write(read)), "");
      } catch (Exception error) {
        problem = error.toString();
      }
      if (problem == null) continue;
      failures++;
      System.out.printf(
          "%s %s %s %s: %s%n",
          example.get("operationId"), example.get("kind"), example.get("status"), example.get("name"), problem);
    }
    System.out.println("read " + (lines.size() / 2 - failures));
    // Threads of a client would keep the program alive.
    System.exit(failures == 0 ? 0 : 1);
  }

  /** The class of a component has its name. Other bodies have the class that the method of the operation returns. */
  private static Class<?> typeOf(Map<?, ?> example) throws ReflectiveOperationException {
    Object schema = example.get("schema");
    if (schema != null) return Class.forName("lotline.model." + schema);
    for (String api : APIS)
      for (Method method : Class.forName("lotline.api." + api + "Api").getMethods())
        if (method.getName().equals(example.get("operationId")))
          return method.getReturnType().getMethod("execute").getReturnType();
    throw new ClassNotFoundException("the body of " + example);
  }

  /**
   * A generated class may write an instant or a number in another notation, add fields and leave out nulls. It must not
   * lose or change anything else.
   */
  private static String difference(Object sent, Object read, String path) {
    if (sent instanceof Map && read instanceof Map) {
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) sent).entrySet()) {
        Object other = ((Map<?, ?>) read).get(entry.getKey());
        if (entry.getValue() == null && other == null) continue;
        if (!((Map<?, ?>) read).containsKey(entry.getKey())) return path + "/" + entry.getKey() + " is lost";
        String found = difference(entry.getValue(), other, path + "/" + entry.getKey());
        if (found != null) return found;
      }
      return null;
    }
    if (sent instanceof List && read instanceof List && ((List<?>) sent).size() == ((List<?>) read).size()) {
      for (int at = 0; at < ((List<?>) sent).size(); at++) {
        String found = difference(((List<?>) sent).get(at), ((List<?>) read).get(at), path + "/" + at);
        if (found != null) return found;
      }
      return null;
    }
    if (Objects.equals(sent, read) || sameNumber(sent, read) || sameInstant(sent, read)) return null;
    return path + " is " + read + " instead of " + sent;
  }

  private static boolean sameNumber(Object a, Object b) {
    return a instanceof Number && b instanceof Number && ((Number) a).doubleValue() == ((Number) b).doubleValue();
  }

  private static boolean sameInstant(Object a, Object b) {
    if (!(a instanceof String) || !(b instanceof String)) return false;
    try {
      return OffsetDateTime.parse((String) a).isEqual(OffsetDateTime.parse((String) b));
    } catch (DateTimeParseException noInstant) {
      return false;
    }
  }

  private Examples() {}
}
