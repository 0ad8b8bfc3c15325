package org.cabrank.bench.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, as Maven wrote it into a resource. */
public final class BuildVersion {

    private BuildVersion() {}

    public static String text() {
        Properties properties = new Properties();
        try (InputStream resource = BuildVersion.class.getResourceAsStream("version.properties")) {
            properties.load(resource);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version");
    }
}
