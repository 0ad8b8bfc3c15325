/** Copies of settings with a changed component. For Cabrank's own modules. */
package org.cabrank.lf.settings;
