package org.cabrank.lf.observe;

/**
 * Registration of an observed object with the platform's MBean server, in the domain {@code org.cabrank}. Any thread may call any method.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface BeanRegistration extends AutoCloseable {
    String objectName();

    /** Ends the registration. A second call has no effect. */
    @Override
    void close();
}
