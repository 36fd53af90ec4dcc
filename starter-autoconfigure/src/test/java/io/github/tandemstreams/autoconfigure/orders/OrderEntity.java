package io.github.tandemstreams.autoconfigure.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the tests' table {@code orders}, for JPA; the only entity here, so that Hibernate asks for no other table. */
@Entity
@Table(name = "orders")
public class OrderEntity {

    @Id
    private long id;

    private String customer;

    /** For JPA. */
    protected OrderEntity() {}

    public OrderEntity(long id, String customer) {
        this.id = id;
        this.customer = customer;
    }

    public void append(String more) {
        customer += more;
    }
}
