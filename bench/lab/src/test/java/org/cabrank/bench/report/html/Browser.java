package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Headless Chromium, which loads one page and returns the result. */
final class Browser {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long TIMEOUT_SECONDS = 120;

    private Browser() {}

    static Optional<Path> find() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The document of {@code page} after its scripts have run. */
    static String dom(Path browser, Path page, Path scratch) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(scratch, "profile");
        Path dom = Files.createTempFile(scratch, "dom", ".html");
        Path log = Files.createTempFile(scratch, "browser", ".log");
        Process process = new ProcessBuilder(Stream.of(
                                browser.toString(),
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--disable-dev-shm-usage",
                                "--user-data-dir=" + profile,
                                "--window-size=1600,1000",
                                "--virtual-time-budget=20000",
                                "--dump-dom",
                                page.toUri().toString())
                        .toList())
                .redirectOutput(dom.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(
                        "the browser is not done after " + TIMEOUT_SECONDS + " s: " + Files.readString(log));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new String(Files.readAllBytes(dom), StandardCharsets.UTF_8);
    }
}
