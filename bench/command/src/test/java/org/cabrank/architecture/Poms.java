package org.cabrank.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The POMs of a checkout. */
record Poms(Path root) {
    static final Poms OF_THIS_CHECKOUT =
            new Poms(Path.of("").toAbsolutePath().getParent().getParent());

    /** Directories of all modules, relative to the root, those of profiles included. */
    List<String> modules() {
        return texts("pom.xml", "//modules/module");
    }

    /** Directories of the modules that repositories get as jars. */
    List<String> published() {
        return modules().stream()
                .filter(module ->
                        !text(module, "/project/properties/unreleased").equals("true"))
                .filter(module -> !text(module, "/project/packaging").equals("pom"))
                .toList();
    }

    String text(String module, String path) {
        return String.join(" ", texts(module + "/pom.xml", path));
    }

    List<String> texts(String pom, String path) {
        try {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(root.resolve(pom).toFile());
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength())
                    .mapToObj(i -> nodes.item(i).getTextContent().strip())
                    .toList();
        } catch (IOException | SAXException | ParserConfigurationException | XPathExpressionException e) {
            throw new AssertionError(pom, e);
        }
    }

    /** All POMs that are source, relative to the root. */
    List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith("pom.xml") && !name.contains("target/"))
                    .toList();
        }
    }
}
