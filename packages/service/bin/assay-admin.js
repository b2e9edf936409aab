#!/usr/bin/env node
import "../dist/bundle/admin.js";
