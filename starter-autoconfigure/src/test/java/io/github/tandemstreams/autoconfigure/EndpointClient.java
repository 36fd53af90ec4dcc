package io.github.tandemstreams.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the actuator's endpoint {@code tandem} over HTTP. */
final class EndpointClient {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    private final String base;
    private final @Nullable String credentials;

    private EndpointClient(String base, @Nullable String credentials) {
        this.base = base;
        this.credentials = credentials;
    }

    static EndpointClient of(ConfigurableApplicationContext application) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return new EndpointClient("http://localhost:" + port + "/actuator/tandem", null);
    }

    EndpointClient as(String user, String password) {
        return new EndpointClient(base, user + ":" + password);
    }

    /** An answer. */
    record Answer(int status, String contentType, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String message() {
            return json().get("message").stringValue();
        }
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        if (credentials != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return request;
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
