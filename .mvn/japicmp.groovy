// Changes that japicmp takes for a break and that lf-pool/README.md allows. Run after each comparison with the last release
// (profile "api" of scripts/release/pom.xml); takes the allowed changes out of the findings and returns them.

import japicmp.model.JApiChangeStatus
import japicmp.model.JApiCompatibilityChangeType

// The Javadoc of each says so, and StabilityTest holds it against this list.
def implementedByCabrankOnly = [
    'org.cabrank.lf.observe.BeanRegistration',
    'org.cabrank.proxy.ProxiedConnection',
    'org.cabrank.stream.BackendProvider',
    'org.cabrank.stream.Connection',
    'org.cabrank.stream.Listener',
    'org.cabrank.stream.ReactorFile',
    'org.cabrank.stream.ScheduledTask',
    'org.cabrank.stream.UnixSocket',
    'org.cabrank.tls.TlsConnection',
]
def newMethods = [
    JApiCompatibilityChangeType.METHOD_ADDED_TO_INTERFACE,
    JApiCompatibilityChangeType.METHOD_NEW_DEFAULT,
    JApiCompatibilityChangeType.METHOD_ABSTRACT_ADDED_IN_IMPLEMENTED_INTERFACE,
]

jApiClasses.each { type ->
    if (implementedByCabrankOnly.contains(type.fullyQualifiedName.replaceAll('\\$.*', ''))) {
        type.compatibilityChanges.removeIf { newMethods.contains(it.type) }
        type.methods.each { method -> method.compatibilityChanges.removeIf { newMethods.contains(it.type) } }
    }
    // A record that gets a component loses the canonical constructor that it had.
    if (type.oldClass.isPresent() && type.oldClass.get().superclass?.name == 'java.lang.Record') {
        def components = type.oldClass.get().declaredFields.findAll { !java.lang.reflect.Modifier.isStatic(it.modifiers) }*.type*.name
        type.constructors.removeIf {
            it.changeStatus == JApiChangeStatus.REMOVED && it.oldConstructor.get().parameterTypes*.name == components
        }
    }
}
return jApiClasses
