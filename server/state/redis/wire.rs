//! A line to the store: to one server, or to all nodes of a cluster.

use redis::{
    Cmd, Pipeline, RedisFuture, Value,
    aio::{ConnectionLike, ConnectionManager},
    cluster_async::ClusterConnection,
    cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, Slot, SlotAddr},
};

use super::PREFIX;

/// Cloning shares the connections.
#[derive(Clone)]
pub(super) enum Wire {
    One(ConnectionManager),
    Cluster(ClusterConnection, RoutingInfo),
}

impl Wire {
    pub(super) fn cluster(connection: ClusterConnection) -> Self {
        // All our names have one slot, so what has no name is asked of its node too.
        let home = Route::with_slot(Slot::for_key(PREFIX), SlotAddr::Master);
        Self::Cluster(
            connection,
            RoutingInfo::SingleNode(SingleNodeRoutingInfo::SpecificNode(home)),
        )
    }
}

impl ConnectionLike for Wire {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(manager) => manager.req_packed_command(cmd),
            Self::Cluster(connection, home) => {
                if is_of_a_node(cmd) {
                    Box::pin(connection.route_command(cmd.clone(), home.clone()))
                } else {
                    connection.req_packed_command(cmd)
                }
            }
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(manager) => manager.req_packed_commands(pipeline, offset, count),
            Self::Cluster(connection, _) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(manager) => manager.get_db(),
            Self::Cluster(connection, _) => connection.get_db(),
        }
    }
}

/// What a node tells of itself or of its own names.
fn is_of_a_node(cmd: &Cmd) -> bool {
    matches!(
        cmd.args_iter().next(),
        Some(redis::Arg::Simple(b"SCAN" | b"INFO"))
    )
}
