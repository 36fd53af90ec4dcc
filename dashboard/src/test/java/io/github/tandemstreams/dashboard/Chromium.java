package io.github.tandemstreams.dashboard;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium, Debian's packages chromium and chromium-driver. Where they are missing, tests are skipped; with the
 * system property tandem.test.browser=required they fail.
 */
final class Chromium implements AutoCloseable {

    private static final String AXE = resource("/axe.min.js");

    private final ChromeDriver driver;

    private Chromium(Path browser, Path driver) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    static Chromium start() {
        Optional<Path> browser = program("chromium");
        Optional<Path> driver = program("chromedriver");
        if (browser.isEmpty() || driver.isEmpty()) {
            String missing =
                    "No browser here: chromium and chromedriver (Debian: chromium, chromium-driver) aren't on the PATH";
            if ("required".equals(System.getProperty("tandem.test.browser"))) {
                throw new IllegalStateException(missing);
            }
            abort(missing);
        }
        Chromium chromium = new Chromium(browser.orElseThrow(), driver.orElseThrow());
        chromium.desktop();
        return chromium;
    }

    private static Optional<Path> program(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    void open(String address) {
        driver.get(address);
    }

    void desktop() {
        screen(1280, 860, false);
    }

    void phone() {
        screen(390, 844, true);
    }

    private void screen(int width, int height, boolean mobile) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", mobile ? 2 : 1, "mobile", mobile));
    }

    void prefer(String colours) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", colours),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Sends name and password with whatever is asked from now on. The password of each user is the name. */
    void signIn(String user) {
        String password = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.setExtraHTTPHeaders", Map.of("headers", Map.of("Authorization", "Basic " + password)));
    }

    /** Waits for the element and gives it. */
    WebElement find(By where) {
        return await(() -> driver.findElements(where).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
    }

    WebElement find(String css) {
        return find(By.cssSelector(css));
    }

    boolean isThere(String css) {
        return !driver.findElements(By.cssSelector(css)).isEmpty();
    }

    /** Clicks, also on what is just being drawn anew. */
    void click(String css) {
        find(css).click();
    }

    void click(By where) {
        find(where).click();
    }

    /** Fills a field, as typed. */
    void type(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    /** Chooses an option, or fills a field that isn't typed into as it looks. */
    void set(String css, String value) {
        driver.executeScript(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
                find(css),
                value);
    }

    void waitForText(String css, String text) {
        await(() -> {
            String now = find(css).getText();
            return now.contains(text) ? now : null;
        });
    }

    /** Waits until a script returns true. */
    void waitUntil(String script) {
        await(() -> Boolean.TRUE.equals(driver.executeScript(script)) ? script : null);
    }

    String text(String css) {
        return find(css).getText();
    }

    /** What a script returns, or what its promise comes to. */
    Object script(String script) {
        return driver.executeScript(script);
    }

    String activeElement() {
        return (String) driver.executeScript("return document.activeElement.id || document.activeElement.tagName");
    }

    void key(CharSequence key) {
        driver.switchTo().activeElement().sendKeys(key);
    }

    /** What the console has said since it was asked last, apart from answers that were asked for. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** What axe-core finds serious or critical. */
    List<String> accessibilityProblems() {
        // By the driver, past the page's policy.
        driver.executeScript(AXE);
        Object found = driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run(document, {resultTypes: ['violations']}).then(
                  result => done(result.violations
                    .filter(one => one.impact === 'serious' || one.impact === 'critical')
                    .map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join('; '))),
                  problem => done(['axe: ' + problem]))""");
        List<String> problems = new ArrayList<>();
        ((List<?>) found).forEach(problem -> problems.add((String) problem));
        return problems;
    }

    /** A picture of the page, where the system property tandem.screenshots names a directory for them. */
    void picture(String name) {
        String directory = System.getProperty("tandem.screenshots");
        if (directory != null) {
            try {
                Files.createDirectories(Path.of(directory));
                Files.write(Path.of(directory, name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    interface Look<T> {
        T look();
    }

    private <T> T await(Look<T> look) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        RuntimeException last = null;
        do {
            try {
                T found = look.look();
                if (found != null) {
                    return found;
                }
            } catch (StaleElementReferenceException drawnAnew) {
                last = drawnAnew;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
        } while (System.nanoTime() < end);
        throw new AssertionError(
                "It didn't appear in " + driver.getCurrentUrl() + ":\n"
                        + driver.findElement(By.tagName("body")).getText(),
                last);
    }

    private static String resource(String name) {
        try (InputStream stream = Chromium.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
