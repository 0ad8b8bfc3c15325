/**
 * A model of the contract of {@link org.cabrank.stream.Connection} and {@link org.cabrank.stream.ConnectionHandler} as a whole, and random
 * programs of calls that every backend is held to it with.
 */
package org.cabrank.stream.contract.model;
