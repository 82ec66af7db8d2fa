# find_package(evenmatch): evenmatch::evenmatch (shared) and evenmatch::static, wherever the package has been
# put.
get_filename_component(evenmatch_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(evenmatch_include "${evenmatch_prefix}/include")
set(evenmatch_lib "${evenmatch_prefix}/lib")
set(evenmatch_bin "${evenmatch_prefix}/bin")
include("${CMAKE_CURRENT_LIST_DIR}/evenmatch-targets.cmake")
