package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The tests that the table of requirements names exist. */
class ConformanceTest {
    private static final Pattern ROW =
            Pattern.compile("<tr><th scope=\"row\">(9112|9110) .*?</th><td>.*?</td><td>(.*?)</td></tr>");
    private static final Pattern NAME = Pattern.compile(">(\\w+)\\.(\\w+)<");
    private static final List<String> PACKAGES = List.of(
            "org.cabrank.http.",
            "org.cabrank.http.wire.",
            "org.cabrank.http.message.",
            "org.cabrank.http.client.",
            "org.cabrank.http.example.");

    @Test
    void eachRequirementHasATest() throws Exception {
        String table = Files.readString(Path.of("src/main/java/org/cabrank/http/doc-files/conformance.html"));
        List<String> wrong = new ArrayList<>();
        Matcher rows = ROW.matcher(table);
        int count = 0;
        while (rows.find()) {
            count++;
            Matcher names = NAME.matcher(rows.group(2));
            int tests = 0;
            while (names.find()) {
                tests++;
                if (!isTest(names.group(1), names.group(2))) {
                    wrong.add(names.group());
                }
            }
            if (tests == 0) {
                wrong.add("no test: " + rows.group());
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(count > 40, count + " requirements");
    }

    private static boolean isTest(String type, String name) {
        for (String of : PACKAGES) {
            try {
                Class<?> found = Class.forName(of + type);
                return Arrays.stream(found.getDeclaredMethods()).anyMatch(method -> isTest(method, name));
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        return false;
    }

    private static boolean isTest(Method method, String name) {
        return method.getName().equals(name)
                && (method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class));
    }
}
