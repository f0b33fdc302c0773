#!/bin/sh
# Puts the package where n8n looks for community nodes, imports the credentials and the examples on
# the first start, and becomes n8n.
set -eu

from="${EMAIL_MARKETING_FOLDER:-/opt/email-marketing}"
state="${N8N_USER_FOLDER:-$HOME}/.n8n"
modules="$state/nodes/node_modules"
seeded="$state/email-marketing-seeded"

mkdir -p "$modules"
# Also on later starts: the image may be newer than what the volume holds.
rm -rf "$modules/n8n-nodes-email-marketing"
cp -R "$from/package" "$modules/n8n-nodes-email-marketing"

if [ ! -e "$seeded" ]; then
	n8n import:credentials --input="$from/seed/credentials.json"
	n8n import:workflow --separate --input="$from/seed/workflows"
	touch "$seeded"
fi

exec n8n start
