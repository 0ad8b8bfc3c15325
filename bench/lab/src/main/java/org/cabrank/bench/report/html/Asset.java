package org.cabrank.bench.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

final class Asset {

    private static final String LIBRARY = "META-INF/resources/webjars/chart.js/";

    private Asset() {}

    static String own(String name) {
        return text(Asset.class.getResourceAsStream(name), name);
    }

    /** Returns the chart library's script without the address of its source map, which a browser would request. */
    static String library() {
        return fromLibrary("dist/chart.umd.min.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    }

    static String libraryLicence() {
        return fromLibrary("LICENSE.md");
    }

    static String libraryVersion() {
        Properties versions = new Properties();
        try (InputStream in = Asset.class.getResourceAsStream("library.properties")) {
            versions.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return versions.getProperty("chart.js");
    }

    private static String fromLibrary(String name) {
        String path = LIBRARY + libraryVersion() + "/" + name;
        return text(Asset.class.getClassLoader().getResourceAsStream(path), path);
    }

    private static String text(InputStream resource, String name) {
        if (resource == null) {
            throw new IllegalStateException(name + " is missing in this build");
        }
        try (resource) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
