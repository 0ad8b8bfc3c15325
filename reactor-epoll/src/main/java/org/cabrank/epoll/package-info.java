/** A handle set and a stream transport over epoll(7). */
package org.cabrank.epoll;
