package io.github.tandemstreams.benchmarks.watched;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks the application what a browser and a metrics server ask, and ends it where it doesn't answer: then it isn't watched. */
final class Onlooker {

    private static final int OK = 200;

    private final HttpClient client = HttpClient.newHttpClient();

    void look(int port, String... addresses) {
        try {
            for (String address : addresses) {
                URI asked = URI.create("http://127.0.0.1:" + port + address);
                int status = client.send(HttpRequest.newBuilder(asked).build(), BodyHandlers.ofString())
                        .statusCode();
                if (status != OK) {
                    end(asked + " answers " + status);
                }
            }
        } catch (IOException failure) {
            end("no answer: " + failure);
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(String why) {
        System.err.println(why);
        Runtime.getRuntime().halt(1);
    }
}
