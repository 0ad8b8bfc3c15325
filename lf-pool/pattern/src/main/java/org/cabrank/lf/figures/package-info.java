/** Figures of observed objects, which JMX and Micrometer read, and the registration with JMX. For Cabrank's own modules. */
package org.cabrank.lf.figures;
