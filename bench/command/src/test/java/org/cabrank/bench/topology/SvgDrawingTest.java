package org.cabrank.bench.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.bench.fixture.Once;
import org.cabrank.pinning.MachineSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Once
final class SvgDrawingTest {
    private static final double WIDTH_MAX = 1_640;

    @TempDir(factory = InMemory.class)
    private Path directory;

    private record Rectangle(String style, double left, double top, double right, double bottom) {
        /** Samples in the legend are smaller. */
        boolean isCell() {
            return Math.abs(bottom - top - SvgDrawing.CELL_HEIGHT) < 0.01;
        }

        boolean overlaps(Rectangle other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> elements(Document document, String name) {
        NodeList found = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static List<Rectangle> rectangles(Document document) {
        List<Rectangle> rectangles = new ArrayList<>();
        for (Element element : elements(document, "rect")) {
            double left = Double.parseDouble(element.getAttribute("x"));
            double top = Double.parseDouble(element.getAttribute("y"));
            rectangles.add(new Rectangle(
                    element.getAttribute("class"),
                    left,
                    top,
                    left + Double.parseDouble(element.getAttribute("width")),
                    top + Double.parseDouble(element.getAttribute("height"))));
        }
        return rectangles;
    }

    /** Each CPU has a cell, no cell covers another, all is on the page, and a page is no wider than a screen. */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.topology.Drawings#machines")
    void everyMachineCanBeDrawn(Machine machine) throws Exception {
        MachineSnapshot snapshot = Drawings.of(machine, directory);
        Document picture = parsed(SvgDrawing.of(snapshot, Drawings.plan(snapshot, "spread", 4, 1)));
        int online = snapshot.topology().online().size();
        assertEquals(online, elements(picture, "g").size());
        List<Rectangle> all = rectangles(picture);
        Rectangle page = all.get(0);
        assertTrue(page.right <= WIDTH_MAX, "the page is " + page.right + " wide");
        assertTrue(all.stream().allMatch(one -> one.right <= page.right && one.bottom <= page.bottom));
        List<Rectangle> cells = all.stream()
                .filter(one -> one.style.startsWith("cell") && one.isCell())
                .toList();
        assertEquals(online, cells.size());
        for (int i = 0; i < cells.size(); i++) {
            for (int j = i + 1; j < cells.size(); j++) {
                Rectangle one = cells.get(i);
                Rectangle other = cells.get(j);
                assertTrue(!one.overlaps(other), () -> one + " covers " + other);
            }
        }
    }

    @Test
    void shardsAreColouredAndLabelled() throws Exception {
        MachineSnapshot cloud = Drawings.of(Machine.CLOUD_VM, directory);
        Document picture = parsed(SvgDrawing.of(cloud, Drawings.plan(cloud, "cores", 2, 1)));
        assertEquals(
                List.of("s0", "s1"),
                elements(picture, "text").stream()
                        .filter(text -> text.getAttribute("class").equals("shard"))
                        .map(Element::getTextContent)
                        .toList());
        assertEquals(
                List.of("cell s0", "cell s1"),
                rectangles(picture).stream()
                        .filter(one -> one.isCell())
                        .map(Rectangle::style)
                        .toList());
    }

    @Test
    void namesOfTheMachineAreEscaped() throws Exception {
        MachineSnapshot cloud = Drawings.of(
                Machine.CLOUD_VM.in(directory).write("proc/cpuinfo", "processor\t: 0\nmodel name\t: <A> & \"B\""));
        Document picture = parsed(SvgDrawing.of(cloud, null));
        assertTrue(
                elements(picture, "title").get(0).getTextContent().startsWith("<A> & \"B\", "),
                elements(picture, "title").get(0).getTextContent());
    }

    @Test
    void itNeedsNothingElseAndLooksRightInTheDark() throws Exception {
        String svg = SvgDrawing.of(Drawings.of(Machine.CLOUD_VM, directory), null);
        assertTrue(svg.contains("@media (prefers-color-scheme: dark)"), svg);
        assertTrue(!svg.contains("href") && !svg.contains("url(http") && !svg.contains("@import"), svg);
    }

    @Test
    void manyShardsOnACpuAreCounted() throws Exception {
        MachineSnapshot cloud = Drawings.of(Machine.CLOUD_VM, directory);
        String svg = SvgDrawing.of(cloud, Drawings.plan(cloud, "node", 3, 1));
        assertTrue(svg.contains(">s0+2<"), svg);
        assertTrue(svg.contains("warning: there are 3 shards but only 1 node"), svg);
    }
}
