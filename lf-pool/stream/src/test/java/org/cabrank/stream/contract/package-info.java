/**
 * What every stream backend must do alike. A reactor's tests extend each contract, and say in {@link
 * org.cabrank.stream.contract.ReactorMode} how the reactor under test is built; nothing here knows which backend it is.
 */
package org.cabrank.stream.contract;
