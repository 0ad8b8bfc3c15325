/** Configuration of rings: {@link org.cabrank.iouring.config.RingOptions} and {@link org.cabrank.iouring.config.RingMode}. */
package org.cabrank.iouring.config;
