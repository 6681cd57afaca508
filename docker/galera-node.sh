#!/bin/bash
# Starts this node of the cluster, so that there is never more than one cluster, and never one that lost
# data. If a node is running, this one joins it. If none is, as after all were stopped or killed, or at
# the first start, the nodes wait until all of them are up and have reported the position of their data.
# The node with the newest data then starts the cluster and the others join it. A node that was the last
# to run need not wait: Galera says so in its data (safe_to_bootstrap).
set -euo pipefail

nodes=${GALERA_NODES:?the names of all nodes, with commas between}
state=/var/lib/mysql/grastate.dat
# This folder is on a volume that the nodes share.
meeting=/var/tmp
options=("--wsrep-cluster-address=gcomm://$nodes" "--wsrep-node-name=$HOSTNAME" "--wsrep-node-address=$HOSTNAME")

# A node opens its port when it is a member of the cluster.
a_node_serves() {
  for node in ${nodes//,/ }; do
    if [ "$node" != "$HOSTNAME" ] && timeout 2 bash -c ": < /dev/tcp/$node/3306" 2>/dev/null; then
      return 0
    fi
  done
  return 1
}

# Sets position to the number of the last transaction that this node has; -1 without data.
find_position() {
  local recovered
  position=-1
  if [ ! -s "$state" ]; then return; fi
  position=$(sed -n 's/^seqno: *//p' "$state")
  if [ "$position" != -1 ]; then return; fi
  # A node that was killed has the position only in its tables, and must be started with it.
  recovered=$(mariadbd "${options[@]}" --wsrep-recover --skip-networking 2>&1 |
    sed -n 's/.*Recovered position: *\([0-9a-f-]*:-*[0-9]*\).*/\1/p')
  position=${recovered##*:}
  : "${position:?galera-node: the data does not tell how far it goes}"
  if [ "$position" != -1 ]; then options+=("--wsrep-start-position=$recovered"); fi
}

# Prints the node with the newest data, or the first of several; fails if a node has not reported recently.
furthest() {
  local best='' most told
  for node in ${nodes//,/ }; do
    told=$(find "$meeting/$node" -newermt '-5 seconds' -exec cat {} + 2>/dev/null)
    if [ -z "$told" ]; then return 1; fi
    if [ -z "$best" ] || [ "$told" -gt "$most" ]; then best=$node most=$told; fi
  done
  echo "$best"
}

goes_first() {
  local position
  if a_node_serves; then return 1; fi
  find_position
  if grep -qs '^safe_to_bootstrap: 1' "$state"; then return 0; fi
  echo "galera-node: no node serves; this one has data up to $position, and waits for all others"
  until a_node_serves; do
    echo "$position" > "$meeting/$HOSTNAME"
    if [ "$(furthest)" = "$HOSTNAME" ]; then return 0; fi
    sleep 1
  done
  return 1
}

# With this file Galera would wait forever for the nodes that were members when this node was killed.
rm -f /var/lib/mysql/gvwstate.dat
if goes_first; then
  # Without this, Galera would refuse the node that all have agreed on.
  if [ -s "$state" ]; then sed -i 's/^safe_to_bootstrap: 0/safe_to_bootstrap: 1/' "$state"; fi
  options+=(--wsrep-new-cluster)
fi
echo "galera-node: ${options[*]}"
exec docker-entrypoint.sh mariadbd "${options[@]}" "$@"
