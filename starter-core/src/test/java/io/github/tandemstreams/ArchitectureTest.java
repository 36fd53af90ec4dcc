package io.github.tandemstreams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between the rooms of the core: each stands only on those below it. */
class ArchitectureTest {

    private static final String ROOT = "io.github.tandemstreams";

    private final JavaClasses core = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void eachRoomStandsOnlyOnThoseBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy(ROOT)
                .layer("source")
                .definedBy(ROOT + ".source")
                .layer("sink")
                .definedBy(ROOT + ".sink")
                .layer("checkpoint")
                .definedBy(ROOT + ".checkpoint")
                .layer("kafka")
                .definedBy(ROOT + ".kafka")
                .layer("jdbc")
                .definedBy(ROOT + ".jdbc")
                .layer("postgres")
                .definedBy(ROOT + ".postgres")
                .layer("engine")
                .definedBy(ROOT + ".engine")
                .whereLayer("api")
                .mayNotAccessAnyLayer()
                .whereLayer("source")
                .mayOnlyAccessLayers("api")
                .whereLayer("sink")
                .mayOnlyAccessLayers("api", "source")
                .whereLayer("checkpoint")
                .mayOnlyAccessLayers("api", "source", "sink")
                .whereLayer("kafka")
                .mayOnlyAccessLayers("api", "source")
                .whereLayer("jdbc")
                .mayOnlyAccessLayers("api", "source", "sink", "checkpoint")
                .whereLayer("postgres")
                .mayOnlyAccessLayers("api")
                .whereLayer("engine")
                .mayOnlyAccessLayers("api", "source", "sink", "checkpoint")
                .check(core);
    }

    @Test
    void theCoreKnowsNothingOfSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .check(core);
    }

    @Test
    void theEngineKnowsNeitherKafkaNorJdbc() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..", "java.sql..", "javax.sql..")
                .check(core);
    }

    @Test
    void anAdapterHasFewDoors() {
        classes()
                .that()
                .resideInAnyPackage(ROOT + ".kafka..", ROOT + ".jdbc..")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should()
                .haveNameMatching(
                        ROOT.replace(".", "\\.") + "\\.(kafka\\.KafkaSource|jdbc\\.(JdbcCheckpoint|Schema\\w+))")
                .check(core);
    }
}
