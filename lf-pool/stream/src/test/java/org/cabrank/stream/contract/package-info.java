/**
 * Contracts that every stream backend must fulfil. A reactor's tests extend each contract, and define in {@link
 * org.cabrank.stream.contract.ReactorMode} how the reactor under test is built; nothing here knows which backend it is.
 */
package org.cabrank.stream.contract;
