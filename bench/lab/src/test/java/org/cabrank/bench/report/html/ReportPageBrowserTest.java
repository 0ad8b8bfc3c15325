package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pages in a real browser, without a head. The page stands in a frame as wide as a phone or a desk, of a light or a dark
 * document; a script that the test puts in front tells the frame's parent what went on.
 */
@Once
@Timeout(300)
final class ReportPageBrowserTest {

    private static final Pattern ANSWER = Pattern.compile("<pre id=\"answer\">([^<]*)</pre>");

    /** Errors of any kind, what was asked of the network, what the page's policy forbade, and what was drawn. */
    private static final String PROBE = """
            <script>
            const seen = { errors: [], forbidden: [] };
            addEventListener('error', (e) => seen.errors.push(String(e.message)));
            addEventListener('unhandledrejection', (e) => seen.errors.push(String(e.reason)));
            addEventListener('securitypolicyviolation', (e) => seen.forbidden.push(e.blockedURI));
            for (const level of ['error', 'warn']) { console[level] = (...words) => seen.errors.push(words.join(' ')); }
            const colours = (canvas) => {
              const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
              const found = new Set();
              for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] > 200) {
                  found.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
                }
              }
              return found.size;
            };
            addEventListener('load', () => {
              document.querySelectorAll('details').forEach((one) => (one.open = true));
              requestAnimationFrame(() => setTimeout(() => {
                const canvases = [...document.querySelectorAll('canvas')];
                Object.assign(seen, {
                  width: innerWidth,
                  dark: getComputedStyle(document.body).backgroundColor,
                  overflow: document.documentElement.scrollWidth - innerWidth,
                  wide: [...document.querySelectorAll('section, header, .canvas, select, pre')]
                    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.id || one.className || one.tagName),
                  fetched: performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith('data:')),
                  drawn: canvases.filter((one) => Number(one.dataset.drawn) > 0 && colours(one) > 3).length,
                  canvases: canvases.length,
                });
                parent.postMessage(JSON.stringify(seen), '*');
              }));
            });
            </script>
            """;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0} x {1}, {2}")
    @CsvSource({"390, 844, light", "390, 844, dark", "1440, 900, light", "1440, 900, dark"})
    void theReportDrawsItsChartsAndFitsItsScreen(int width, int height, String scheme) throws Exception {
        Path browser = browser();
        JsonNode seen = seen(browser, HtmlReportTest.pageOfEverything(), width, height, scheme);
        assertEquals(3, seen.get("canvases").intValue(), seen.toString());
        assertEquals(3, seen.get("drawn").intValue(), seen.toString());
        String page = scheme.equals("dark") ? "rgb(16, 21, 28)" : "rgb(245, 246, 248)";
        assertEquals(page, seen.get("dark").textValue());
    }

    /** The test is skipped where there is none, before a page is rendered. */
    private static Path browser() {
        Path browser = Browser.find().orElse(null);
        assumeTrue(browser != null, "there is no chromium on this machine (Debian: apt-get install chromium)");
        return browser;
    }

    /**
     * Loads the page in the browser and returns the probe's observations: errors, fetched resources, elements wider than
     * the screen.
     */
    private JsonNode seen(Path browser, String page, int width, int height, String scheme) throws Exception {
        Files.writeString(
                directory.resolve("page.html"), page.replaceFirst("</title>", "$0" + Matcher.quoteReplacement(PROBE)));
        Path outer = directory.resolve("outer.html");
        Files.writeString(
                outer,
                "<!DOCTYPE html><body style=\"margin:0\"><iframe src=\"page.html\" style=\"border:0;width:" + width
                        + "px;height:"
                        + height + "px;color-scheme:" + scheme
                        + "\"></iframe><script>addEventListener('message', (e) => {"
                        + "const pre = document.createElement('pre'); pre.id = 'answer'; pre.textContent = e.data;"
                        + "document.body.append(pre); });</script>");
        String dom = Browser.dom(browser, outer, directory);
        Matcher answer = ANSWER.matcher(dom);
        assertTrue(answer.find(), "the page said nothing: " + dom);
        String json = answer.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        JsonNode seen = new ObjectMapper().readTree(json);
        assertEquals("[]", seen.get("errors").toString());
        assertEquals("[]", seen.get("forbidden").toString());
        assertEquals("[]", seen.get("fetched").toString());
        assertEquals("[]", seen.get("wide").toString());
        assertEquals(width, seen.get("width").intValue());
        assertTrue(seen.get("overflow").intValue() <= 0, seen.toString());
        return seen;
    }
}
