package org.cabrank.bench.contender;

import java.util.List;

/** Contenders of another module, found by the service loader. */
public interface ContenderProvider {

    List<Contender> contenders();
}
