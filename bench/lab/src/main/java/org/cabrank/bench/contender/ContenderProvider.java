package org.cabrank.bench.contender;

import java.util.List;

/** Contenders of another module, found by the service loader. They run by name. */
public interface ContenderProvider {

    /** In the order of the report. Called by each command that needs names, so that it loads nothing of the servers. */
    List<Contender> contenders();
}
