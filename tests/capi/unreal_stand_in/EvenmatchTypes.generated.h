// A stand-in for what Unreal's header tool would generate: nothing is reflected here.
#pragma once
