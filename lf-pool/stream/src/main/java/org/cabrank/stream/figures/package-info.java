/** Named figures of reactors and their shards, which JMX and Micrometer read. For Cabrank's own modules. */
package org.cabrank.stream.figures;
